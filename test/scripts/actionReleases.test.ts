import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The first major release of each action that runs on Node.js 24; GitHub's runners have no older one any more.
 * Source: `runs.using` in the action.yml of its releases. `attest-build-provenance` only calls `actions/attest`.
 */
const FIRST_ON_NODE_24: Readonly<Record<string, number>> = {
  "actions/attest-build-provenance": 4,
  "actions/cache": 5,
  "actions/checkout": 5,
  "actions/download-artifact": 7,
  "actions/setup-go": 6,
  "actions/setup-node": 5,
  "actions/upload-artifact": 6,
  "aws-actions/configure-aws-credentials": 6,
  "pulumi/actions": 7,
};

const root = join(__dirname, "../..");

const used = [".github/workflows", "examples/ci/github"].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((name) => {
    const text = readFileSync(join(root, folder, name), "utf8");
    return [...text.matchAll(/uses: ([\w-]+\/[\w-]+)(?:\/[\w-]+)?@\S+ # v(\d+)/g)].map(
      ([, action = "", major]) => ({ file: `${folder}/${name}`, action, major: Number(major) }),
    );
  }),
);

it.each(used)("$action runs on Node.js 24 in $file", ({ action, major }) => {
  expect(Object.keys(FIRST_ON_NODE_24)).toContain(action);
  expect(major).toBeGreaterThanOrEqual(FIRST_ON_NODE_24[action] ?? Infinity);
});

it("names one release of each action", () => {
  const releases = new Set(used.map(({ action, major }) => `${action} v${major}`));
  expect(releases.size).toBe(Object.keys(FIRST_ON_NODE_24).length);
});
