import { expect, test } from "vitest";
import { defaultSettings, parseSettings } from "../../config/settings.ts";
import { settingsText } from "./texts.ts";
import type { InitProject } from "./project.ts";

const nothing: InitProject = {
  languages: [],
  runners: [],
  runner: null,
  packages: {},
  agents: [],
  hasMettle: true,
  tests: [],
  sources: [],
};

test("the settings file of an unknown project sets nothing", () => {
  expect(parseSettings(settingsText(nothing))).toEqual(defaultSettings());
});

test("commented lines show the defaults", () => {
  const uncommented = settingsText(nothing).replaceAll(/^#(?! )|^#(?= {2}\w)/gmu, "");
  expect(uncommented).toContain("\nagents:\n  default: claude\n");
  expect(uncommented).toContain("\npaths:\n  tests:");
  const { agents, ...others } = parseSettings(uncommented);
  // Who writes the default down has named it.
  expect({ ...others, agents: { ...agents, named: false } }).toEqual(defaultSettings());
});

test("detected values are set", () => {
  const found = {
    ...nothing,
    runners: ["node:test", "ava"],
    runner: "node:test",
    sources: ["lib/", "app/"],
    agents: ["claude"],
  };
  // A run finds the folders itself.
  expect(parseSettings(settingsText(found))).toEqual({ ...defaultSettings(), runner: "node:test" });
  expect(settingsText(found)).toContain("Found on PATH when this file was written: claude.");
});

test("the runner of each package is set if they differ", () => {
  const packages = { ".": "vitest", "packages/api": "jest" };
  const { runner, packages: named } = parseSettings(settingsText({ ...nothing, packages }));
  expect([runner, named]).toEqual([undefined, packages]);
});

test("if a run would find several runners, none is set", () => {
  expect(parseSettings(settingsText({ ...nothing, runners: ["vitest", "node:test"] }))).toEqual(
    defaultSettings(),
  );
});
