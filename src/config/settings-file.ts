/** The settings file in the root of a repository; a protected file. */
export const settingsFile = "mettle.yaml";
