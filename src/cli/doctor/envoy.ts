import { foreignEnvoy } from "../../agents/envoy-on-path.ts";
import { warn, type DoctorCheck } from "./check.ts";

export const envoy: DoctorCheck = {
  name: "envoy",
  needed: false,
  async examine({ path }) {
    const other = await foreignEnvoy(path);
    if (other === null) return [];
    return [
      warn(
        `another program named envoy comes first on PATH: ${other}`,
        "call `mettle envoy`, as the printed protocols then say too",
      ),
    ];
  },
};
