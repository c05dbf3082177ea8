// node fleet.mjs stacks               the operator's resources, for `kubectl apply -f -`
// node fleet.mjs previews <branch>    Stacks that only preview a branch
// node fleet.mjs deployments <folder> writes Pulumi.<cluster>.deploy.yaml for Pulumi Deployments
// node fleet.mjs names                the clusters, for `talos-aws preview`
//
// It reads fleet.yaml beside it, or the file that FLEET names.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { deploymentFiles } from "./deployments.mjs";
import { fleetObjects, previewObjects } from "./operator.mjs";
import { readFleet } from "./readFleet.mjs";

const here = dirname(fileURLToPath(import.meta.url));

function run([what, argument]) {
  const fleet = readFleet(process.env.FLEET ?? join(here, "fleet.yaml"));
  switch (what) {
    case "stacks":
      return documents(fleetObjects(fleet));
    case "previews":
      return documents(previewObjects(fleet, need(argument, "a branch")));
    case "deployments": {
      const files = Object.entries(deploymentFiles(fleet));
      const folder = need(argument, "a folder");
      files.forEach(([name, settings]) => writeFileSync(join(folder, name), stringify(settings)));
      return files.map(([name]) => `${join(folder, name)}\n`).join("");
    }
    case "names":
      return `${fleet.clusters.map(({ name }) => name).join(" ")}\n`;
    default:
      throw new Error("usage: fleet.mjs stacks | previews <branch> | deployments <folder> | names");
  }
}

function documents(objects) {
  return objects.map((object) => stringify(object)).join("---\n");
}

function need(argument, what) {
  if (argument === undefined) {
    throw new Error(`${what} is missing after the command`);
  }
  return argument;
}

try {
  process.stdout.write(run(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
