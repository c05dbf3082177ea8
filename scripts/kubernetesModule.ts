import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { goCommand } from "./goCommand";
import { moduleVersion } from "./kubernetesSource";

/** How the code of a Kubernetes release is compiled. */
export const GO_ENVIRONMENT = {
  GOFLAGS: "-mod=mod -buildvcs=false",
  // Nothing of it is shipped: the modules are only asked for the names that they know.
  GONOSUMDB: "*",
};

/**
 * Makes a folder a Go module that can import the code of a Kubernetes release.
 *
 * @param release `v1.37.2`
 * @returns the folder of that code
 */
export async function prepareKubernetes(release: string, workspace: string): Promise<string> {
  const folder = await kubernetesFolder(release, workspace);
  await writeFile(join(workspace, "go.mod"), await goModOf(folder, release));
  await cp(join(folder, "go.sum"), join(workspace, "go.sum"));
  return folder;
}

async function kubernetesFolder(release: string, cwd: string): Promise<string> {
  await writeFile(join(cwd, "go.mod"), "module download\n");
  const told = await goCommand(["mod", "download", "-json", `k8s.io/kubernetes@${release}`], {
    cwd,
    environment: GO_ENVIRONMENT,
  });
  return (JSON.parse(told) as { readonly Dir: string }).Dir;
}

/** Kubernetes' own libraries are in its repository; as modules they have its version. */
async function goModOf(folder: string, release: string): Promise<string> {
  const text = await readFile(join(folder, "go.mod"), "utf8");
  const libraries = [...text.matchAll(/^\s+(k8s\.io\/([\w-]+) => )\.\/staging/gm)].map(
    ([, start = "", library = ""]) => {
      const version = moduleVersion(library, release).replace("@", " ");
      return `replace ${start}k8s.io/${version}`;
    },
  );
  const go = /^go \S+$/m.exec(text)?.[0] ?? "";
  return `${["module flags", go, `require k8s.io/kubernetes ${release}`, ...libraries].join("\n")}\n`;
}
