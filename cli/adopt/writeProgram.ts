import { stringify } from "yaml";
import { packageVersion } from "../../provider/base";
import type { KeptPatch } from "./keptPatch";
import type { PlannedCluster, PlannedRole } from "./planAdoption";

export interface Project {
  /** Texts by path. None has a secret. */
  readonly files: Readonly<Record<string, string>>;
  /** Texts by the name of the setting that takes them. Secret. */
  readonly secretSettings: Readonly<Record<string, string>>;
}

/** Where a project has the texts of its secret settings until they are set. */
export const SECRETS_FOLDER = "secrets";

const SECRETS_SETTING = "importedSecrets";

export function writeProgram(cluster: PlannedCluster): Project {
  const files: Record<string, string> = {};
  const secretSettings: Record<string, string> = { [SECRETS_SETTING]: stringify(cluster.secrets) };
  const reference: PatchReference = (folder, owner) => (patch, index) => {
    const kept = patch.keeps === undefined ? "" : "/kept";
    const path = `${folder}${kept}/${owner}-${index + 1}.yaml`;
    if (patch.isSecret) {
      const setting = path.replace(/\.yaml$/, "").replaceAll("/", "_");
      secretSettings[setting] = patch.text;
      return `config.requireSecret(${quoted(setting)})`;
    }
    files[path] = headed(patch);
    return quoted(`@${path}`);
  };
  const written = (type: string) =>
    cluster.roles
      .filter(({ arguments: { machineType } }) => machineType === type)
      .map((role) => writeRole(role, reference));
  const controlPlanes = rollouts(cluster.roles, "controlplane");
  const parts = [
    HEAD,
    secretsOf(cluster),
    ...written("controlplane"),
    `const controlPlanes = [${controlPlanes.join(", ")}];`,
    ...written("worker"),
    tailOf(cluster),
  ];
  return {
    files: {
      ...files,
      "index.ts": `${parts.join("\n\n")}\n`,
      ...projectFiles(cluster.name),
    },
    secretSettings,
  };
}

/** Writes a patch into a folder, and returns how the program names it. */
type PatchReference = (
  folder: "patches" | "patches/machines",
  owner: string,
) => (patch: KeptPatch, index: number) => string;

/** The names of the rollouts of a type of machines. */
function rollouts(roles: readonly PlannedRole[], type: string): readonly string[] {
  return roles
    .filter(({ arguments: { machineType } }) => machineType === type)
    .map(({ name }) => `${identifierOf(name)}Machines`);
}

/** A patch with a comment that says why it is there. */
function headed({ text, keeps }: KeptPatch): string {
  return keeps === undefined
    ? text
    : `# The machines have this, and no argument or other patch says it. Without it, they would change.\n${text}`;
}

const HEAD = `import * as pulumi from "@pulumi/pulumi";
import {
  ClientConfiguration,
  ClusterHealth,
  ClusterKubeconfig,
  ConfigurationRollout,
  MachineBootstrap,
  MachineConfiguration,
  MachineSecrets,
} from "pulumi-talos-aws";

const config = new pulumi.Config();`;

function secretsOf({ name, roles }: PlannedCluster): string {
  const [first] = roles;
  const { controlPlanes } = machinesOf(roles);
  return `// pulumi config set --secret ${SECRETS_SETTING} < ${SECRETS_FOLDER}/${SECRETS_SETTING}.yaml
const { secretsBundle } = new MachineSecrets(
  "secrets",
  {
    versionContract: ${quoted(first?.arguments.versionContract ?? "")},
    importedSecrets: config.requireSecret(${quoted(SECRETS_SETTING)}),
  },
  { protect: true },
);
const { credentials, talosconfig } = new ClientConfiguration("access", {
  clusterName: ${quoted(name)},
  secretsBundle,
  endpoints: ${list([...new Set(controlPlanes.map(({ endpoint }) => endpoint))])},
});`;
}

function writeRole(
  { name, arguments: own, patches, machines }: PlannedRole,
  reference: PatchReference,
): string {
  const variable = identifierOf(name);
  const withPatches = machines.filter(({ ownPatches }) => ownPatches.length > 0);
  const ownPatches = withPatches.map((machine) => {
    const references = machine.ownPatches.map(reference("patches/machines", machine.name));
    return `  ${quoted(machine.name)}: [${references.join(", ")}],`;
  });
  const perMachine =
    ownPatches.length === 0 ? "" : `const ${variable}Patches = {\n${ownPatches.join("\n")}\n};\n`;
  const after =
    own.machineType === "controlplane"
      ? ""
      : `\n  // Workers change after the control plane.\n  { dependsOn: controlPlanes },`;
  const role = [
    ...argumentsOf(own).map(([argument, value]) => `${argument}: ${literal(value)}`),
    "secretsBundle",
    ...(patches.length === 0
      ? []
      : [`patches: [${patches.map(reference("patches", name)).join(", ")}]`]),
    ...(ownPatches.length === 0 ? [] : [`machinePatches: ${variable}Patches`]),
  ];
  const rolled = machines.map((machine) => {
    const { machineId, node, endpoint } = machine;
    const said = [
      `machineId: ${quoted(machineId)}`,
      `node: ${quoted(node)}`,
      ...(endpoint === node ? [] : [`endpoint: ${quoted(endpoint)}`]),
      ...(machine.ownPatches.length === 0
        ? []
        : [`patches: ${variable}Patches[${quoted(machine.name)}]`]),
    ];
    return `      ${quoted(machine.name)}: { ${said.join(", ")} },`;
  });
  return `${perMachine}const ${variable}Configuration = new MachineConfiguration(${quoted(name)}, {
${role.map((line) => `  ${line},`).join("\n")}
});
const ${variable}Machines = new ConfigurationRollout(
  ${quoted(name)},
  {
    machines: {
${rolled.join("\n")}
    },
    // The first "pulumi up" records each machine as it is, and changes nothing.
    takeover: "look",
    // The installer above is the former tool's, and need not be what the machines run. Correct
    // platform, talosVersion and schematicId before you leave this out.
    upgradeTalos: false,
    credentials,
    machineConfiguration: ${variable}Configuration.machineConfiguration,
    redactedConfiguration: ${variable}Configuration.redactedConfiguration,
    revision: ${variable}Configuration.revision,
  },${after}
);`;
}

function tailOf({ roles }: PlannedCluster): string {
  const { controlPlanes, workers } = machinesOf(roles);
  const [first, ...others] = controlPlanes;
  const variables = ["controlplane", "worker"].flatMap((type) => rollouts(roles, type));
  const node = quoted(first?.node ?? "");
  const endpoint =
    first === undefined || first.endpoint === first.node
      ? ""
      : `, endpoint: ${quoted(first.endpoint)}`;
  const peers = list(others.map((machine) => machine.node));
  return `// It finds a running etcd, and leaves it alone.
const bootstrap = new MachineBootstrap(
  "bootstrap",
  { node: ${node}${endpoint}, peers: ${peers}, credentials },
  { dependsOn: controlPlanes },
);
const { kubeconfig } = new ClusterKubeconfig(
  "kubeconfig",
  { node: ${node}${endpoint}, credentials },
  { dependsOn: bootstrap },
);
new ClusterHealth(
  "health",
  {
    controlPlaneNodes: ${list(controlPlanes.map((machine) => machine.node))},
    workerNodes: ${list(workers.map((machine) => machine.node))},${
      endpoint === "" ? "" : `\n    endpoint: ${quoted(first?.endpoint ?? "")},`
    }
    credentials,
    kubeconfig,
    // After each change of a machine, the whole cluster is checked.
    triggers: pulumi
      .all([${variables.map((variable) => `${variable}.configurationHashes`).join(", ")}])
      .apply((hashes) => hashes.flatMap((each) => Object.values(each))),
  },
  { dependsOn: [${variables.join(", ")}] },
);

export { kubeconfig, talosconfig };`;
}

function machinesOf(roles: readonly PlannedRole[]) {
  const ofType = (type: string) =>
    roles
      .filter(({ arguments: { machineType } }) => machineType === type)
      .flatMap(({ machines }) => machines);
  return { controlPlanes: ofType("controlplane"), workers: ofType("worker") };
}

function projectFiles(clusterName: string): Readonly<Record<string, string>> {
  const project = clusterName.replaceAll(/[^A-Za-z0-9_.-]+/g, "-");
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;
  return {
    "Pulumi.yaml": stringify({
      name: project,
      runtime: "nodejs",
      description: `The Talos cluster ${clusterName}, taken over from another tool`,
    }),
    "package.json": json({
      name: project.toLowerCase(),
      private: true,
      dependencies: {
        "@pulumi/aws": "^7.4.0",
        "@pulumi/pulumi": "^3.230.0",
        "pulumi-talos-aws": `^${packageVersion()}`,
      },
      devDependencies: { "@types/node": "^22.0.0", typescript: "^6.0.0" },
    }),
    "tsconfig.json": json({
      compilerOptions: {
        strict: true,
        target: "es2022",
        module: "nodenext",
        moduleResolution: "nodenext",
        skipLibCheck: true,
        noEmit: true,
      },
      files: ["index.ts"],
    }),
    ".gitignore": `node_modules/\n${SECRETS_FOLDER}/\n`,
  };
}

/** A name in TypeScript: `workerGpu` of `worker-gpu`. */
function identifierOf(name: string): string {
  const joined = name.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_all, next: string) =>
    next.toUpperCase(),
  );
  return /^[A-Za-z]/.test(joined) ? joined : `machine${joined}`;
}

function argumentsOf(
  own: PlannedRole["arguments"],
): readonly (readonly [string, string | readonly string[]])[] {
  return Object.entries(own);
}

function literal(value: string | readonly string[]): string {
  return typeof value === "string" ? quoted(value) : list(value);
}

function list(values: readonly string[]): string {
  return `[${values.map(quoted).join(", ")}]`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
