/** Collects errors, so that all of them are reported and a person fixes a file once. */
import { AppError } from "../../lib/errors.ts";
import type { YamlFault } from "../../lib/yaml/yaml-fault.ts";
import { yamlError, type YamlErrorCode } from "../../lib/yaml/yaml-document.ts";

export class ErrorCollector {
  readonly #errors: AppError[] = [];

  add(code: YamlErrorCode, faults: readonly YamlFault[]): void {
    if (faults.length > 0) this.#errors.push(yamlError(code, faults));
  }

  /** Runs `work` and collects its error; null if it throws. */
  attempt<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#errors.push(error);
      return null;
    }
  }

  all(): readonly AppError[] {
    return [...this.#errors];
  }
}
