/** The command that installs a package of this system. */
import { findProgram } from "../../process/find-program.ts";

const managers: readonly (readonly [program: string, command: string])[] = [
  ["apt-get", "sudo apt-get install"],
  ["dnf", "sudo dnf install"],
  ["pacman", "sudo pacman -S"],
  ["zypper", "sudo zypper install"],
  ["apk", "sudo apk add"],
  ["brew", "brew install"],
];

/** @param name the package, which has this name in every system */
export async function installCommand(name: string, path: string): Promise<string> {
  for (const [program, command] of managers)
    if ((await findProgram(program, path)) !== null) return `${command} ${name}`;
  return `install ${name} with your system's package manager`;
}
