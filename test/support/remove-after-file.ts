// Loaded before each test file by vitest.config.ts.
import { afterAll } from "vitest";
import { removeAll } from "./folder.ts";

afterAll(removeAll);
