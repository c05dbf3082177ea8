import { writeFileSync } from "node:fs";
import { join } from "node:path";

const SCRIPT = `#!/bin/sh
exec node "$(node -p "require.resolve('@pulumi/pulumi/cmd/run-policy-pack')")" "$@"
`;

/**
 * Writes what Pulumi's CLI has beside it to run packs in Node.js, and an engine built from source has not, into
 * a folder on the engine's PATH. It starts the runner that is in the pack's own `@pulumi/pulumi`.
 */
export function writePolicyAnalyzer(folder: string): void {
  writeFileSync(join(folder, "pulumi-analyzer-policy-nodejs"), SCRIPT, { mode: 0o755 });
}
