/** Modules that a go.mod takes in place of others, `path version`, by their path; without folders. */
export function replacementsIn(goMod: string): Record<string, string> {
  const lines = [...goMod.matchAll(/^\s*(?:replace )?(\S+) => (\S+ v\S+)\s*$/gm)];
  return Object.fromEntries(lines.map(([, path = "", other = ""]) => [path, other]));
}

/** The text of a go.mod. */
export function goModOf(
  name: string,
  requires: Readonly<Record<string, string>>,
  replaces: Readonly<Record<string, string>>,
): string {
  return [
    `module ${name}`,
    "",
    "go 1.25.0",
    "",
    ...Object.entries(requires).map(([path, version]) => `require ${path} ${version}`),
    ...Object.entries(replaces).map(([path, other]) => `replace ${path} => ${other}`),
    "",
  ].join("\n");
}

/**
 * A go.mod that requires another release of a module, and has other replacements.
 *
 * @throws Error if it doesn't require the module
 */
export function withRelease(
  goMod: string,
  module: string,
  release: string,
  replaces: Readonly<Record<string, string>>,
): string {
  const required = new RegExp(`^(\\s*(?:require )?${module}) v\\S+`, "m");
  if (!required.test(goMod)) {
    throw new Error(`a go.mod doesn't require ${module}, which it is built for`);
  }
  const body = goMod
    .replace(required, `$1 ${release}`)
    .replace(/^replace \([^)]*\)\n?/gm, "")
    .replace(/^replace .*\n?/gm, "")
    .trimEnd();
  const lines = Object.entries(replaces).map(([path, other]) => `\t${path} => ${other}`);
  return lines.length === 0 ? `${body}\n` : `${body}\n\nreplace (\n${lines.join("\n")}\n)\n`;
}

/** Whether an error of Go is about a module that nobody has, not about code. */
export function isMissingModule(error: unknown): boolean {
  return (
    error instanceof Error &&
    /\b(?:403|404|410)\b|not available|unknown revision|no matching versions/i.test(error.message)
  );
}
