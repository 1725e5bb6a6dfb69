/** The command by which this system installs one of its packages. */
import { findProgram } from "../../agents/find-program.ts";

const managers: readonly (readonly [program: string, command: string])[] = [
  ["apt-get", "sudo apt-get install"],
  ["dnf", "sudo dnf install"],
  ["pacman", "sudo pacman -S"],
  ["zypper", "sudo zypper install"],
  ["apk", "sudo apk add"],
  ["brew", "brew install"],
];

/** @param name the package's name, which is the same everywhere for what is asked here */
export async function installCommand(name: string, path: string): Promise<string> {
  for (const [program, command] of managers)
    if ((await findProgram(program, path)) !== null) return `${command} ${name}`;
  return `install ${name} with your system's package manager`;
}
