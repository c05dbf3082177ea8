import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type Deployment,
  LocalWorkspace,
  type PulumiFn,
  type Stack,
} from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";

/**
 * Runs work with an empty stack of the same name, in a temporary folder. Its state is separate from
 * the stack's own. So after a killed run, an `up` of the stack deletes none of its resources.
 *
 * @param program what its `up` creates
 */
export async function withTemporaryStack<Value>(
  { name: fullName, workspace }: Stack,
  program: PulumiFn,
  work: (beside: Stack, salted: (state: Deployment) => Deployment) => Promise<Value>,
): Promise<Value> {
  const { workDir, pulumiCommand, pulumiHome, envVars } = workspace;
  // In Pulumi Cloud, an organisation and a project may precede it; URNs have neither.
  const name = fullName.split("/").at(-1) ?? fullName;
  const folder = await mkdtemp(join(tmpdir(), "talos-aws-sweep-"));
  try {
    const project = await projectLike(workDir);
    await writeFile(join(folder, "Pulumi.yaml"), stringify(project));
    await mkdir(join(folder, "backend"));
    const beside = await LocalWorkspace.createStack(
      { stackName: name, projectName: project.name, program },
      {
        workDir: folder,
        pulumiCommand,
        ...(pulumiHome !== undefined && { pulumiHome }),
        secretsProvider: "passphrase",
        envVars: {
          ...envVars,
          PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
          PULUMI_CONFIG_PASSPHRASE: randomBytes(16).toString("hex"),
          PULUMI_SKIP_UPDATE_CHECK: "true",
        },
      },
    );
    const settings = await readFile(join(folder, `Pulumi.${name}.yaml`), "utf8");
    return await work(beside, (state) => encryptedLike(settings, state));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Project {
  /** The project's name is part of every URN. */
  readonly name: string;
  readonly runtime: string;
  readonly plugins?: object;
}

async function projectLike(folder: string): Promise<Project> {
  const { name, plugins } = parse(await readFile(join(folder, "Pulumi.yaml"), "utf8")) as {
    readonly name: string;
    readonly plugins?: Readonly<Record<string, readonly { readonly path?: string }[]>>;
  };
  const absolute = Object.entries(plugins ?? {}).map(([kind, list]) => [
    kind,
    list.map((each) =>
      each.path === undefined ? each : { ...each, path: resolve(folder, each.path) },
    ),
  ]);
  return {
    name,
    runtime: "nodejs",
    ...(absolute.length > 0 && { plugins: Object.fromEntries(absolute) as object }),
  };
}

/** A state in clear as one that is encrypted like the stack's settings. */
function encryptedLike(settings: string, state: Deployment): Deployment {
  const { encryptionsalt: salt } = parse(settings) as { readonly encryptionsalt?: string };
  const deployment = state.deployment as Record<string, unknown>;
  const secrets_providers = { type: "passphrase", state: { salt } };
  return { ...state, deployment: { ...deployment, secrets_providers } };
}
