/** `envoy plan read-design-manifest`: lists the screenshots of the design with their descriptions. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readYaml } from "./front-matter.ts";
import { readPlanFile } from "./read-file.ts";
import { relativePath } from "./relative-path.ts";
import type { PlanFolder } from "./write.ts";

const Manifest = z.looseObject({
  designs: z.array(z.looseObject({ screenshot_file_name: z.string().min(1), description: z.string() })),
});

export async function readDesignManifest({ dir }: PlanFolder) {
  const folder = join(dir, "design");
  const file = join(folder, "manifest.yaml");
  const text = await readPlanFile(file);
  if (text === null) return { exists: false, designs: [] };
  const { designs } = readYaml(file, text, Manifest);
  return {
    exists: true,
    designs: await Promise.all(
      designs.map(async ({ screenshot_file_name, description }) => {
        const path = join(folder, relativePath(screenshot_file_name));
        const exists = await stat(path).then(
          (entry) => entry.isFile(),
          () => false,
        );
        return { file: screenshot_file_name, path, description, ...(!exists && { missing: true }) };
      }),
    ),
  };
}
