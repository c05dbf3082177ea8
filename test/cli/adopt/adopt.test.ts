import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { awsImports } from "../../../cli/adopt/awsImports";
import { changesNothing, compareMachines } from "../../../cli/adopt/compareMachines";
import {
  type Adoption,
  describeAdoption,
  describeSteps,
} from "../../../cli/adopt/describeAdoption";
import type { FormerResource } from "../../../cli/adopt/formerResource";
import { planAdoption } from "../../../cli/adopt/planAdoption";
import { readPulumiState } from "../../../cli/adopt/pulumiState";
import { chooseCluster, readClusters } from "../../../cli/adopt/readClusters";
import { readTerraformState } from "../../../cli/adopt/terraformState";
import { writeProgram } from "../../../cli/adopt/writeProgram";
import { run } from "../../../cli/run";
import { generateSecretsBundle } from "../../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { sharedSecrets } from "../../provider/pki/sharedSecrets";
import { secretValues } from "../../provider/resources/samples";
import {
  pulumiState,
  shownState,
  type StatedCluster,
  terraformState,
  usualCluster,
} from "./formerStates";

let secrets: SecretsBundle;

beforeAll(async () => {
  secrets = await sharedSecrets();
});

function adopted(resources: readonly FormerResource[], tool: Adoption["tool"] = "terraform") {
  const cluster = chooseCluster(readClusters(resources, "the state"), undefined);
  const plan = planAdoption(cluster);
  return {
    tool,
    cluster,
    plan,
    comparison: compareMachines(plan),
    aws: awsImports(resources),
    project: writeProgram(plan),
  };
}

const ofTerraform = (cluster: StatedCluster) =>
  adopted(readTerraformState(terraformState(cluster)));

describe("a cluster of Terraform's provider", () => {
  it("is declared so that no machine changes, with the patches of people as they were", () => {
    const { comparison, plan, project } = ofTerraform(usualCluster(secrets));
    expect(comparison.refused).toEqual([]);
    expect(comparison.machines.map(({ machine, changes }) => [machine.name, changes])).toEqual([
      ["controlplane-1", []],
      ["controlplane-2", []],
      ["controlplane-3", []],
      ["worker-blue", []],
      ["worker-green", []],
    ]);
    expect(changesNothing(comparison)).toBe(true);
    const [controlPlane, worker] = plan.roles;
    expect(controlPlane?.arguments).toEqual({
      clusterName: "demo",
      endpoint: "https://10.0.0.1:6443",
      machineType: "controlplane",
      platform: "metal",
      talosVersion: "v1.13.0",
      schematicId: "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
      kubernetesVersion: "1.35.0",
      installDisk: "/dev/xvda",
      versionContract: "v1.12",
    });
    expect(worker?.patches.map(({ text }) => text)).toEqual(usualCluster(secrets).patches?.worker);
    expect(Object.keys(project.files).sort()).toEqual([
      ".gitignore",
      "Pulumi.yaml",
      "index.ts",
      "package.json",
      "patches/controlplane-1.yaml",
      "patches/machines/worker-blue-1.yaml",
      "patches/machines/worker-green-1.yaml",
      "patches/worker-1.yaml",
      "patches/worker-2.yaml",
      "tsconfig.json",
    ]);
  });

  it("is read alike from a state file and from terraform show", () => {
    const state = terraformState(usualCluster(secrets));
    const [file, shown] = [readTerraformState(state), readTerraformState(shownState(state))].map(
      (resources) => chooseCluster(readClusters(resources, "the state"), undefined),
    );
    expect(shown).toEqual(file);
  });

  it("keeps what neither arguments nor recorded patches say", () => {
    const state = terraformState(usualCluster(secrets));
    const changed = JSON.parse(
      JSON.stringify(state)
        .replaceAll("metal-installer/3765", "metal-installer-secureboot/3765")
        .replaceAll("kubelet:v1.35.0", "kubelet:v1.35.1"),
    ) as typeof state;
    const { comparison, plan } = adopted(readTerraformState(changed));
    expect(comparison).toMatchObject({ refused: [] });
    expect(changesNothing(comparison)).toBe(true);
    const kept = plan.roles.flatMap(({ patches }) => patches.flatMap(({ keeps = [] }) => keeps));
    expect(kept).toContain("machine.install.image");
    expect(kept).not.toContain("machine.kubelet.image");
  });

  it("shows the places that a changed program would change, and no values", () => {
    const adoption = ofTerraform(usualCluster(secrets));
    const [controlPlane, worker] = adoption.plan.roles;
    if (controlPlane === undefined || worker === undefined) {
      throw new Error("a role is missing");
    }
    const plan = {
      ...adoption.plan,
      roles: [
        controlPlane,
        { ...worker, patches: [], arguments: { ...worker.arguments, kubernetesVersion: "1.35.1" } },
      ],
    };
    const comparison = compareMachines(plan);
    expect(changesNothing(comparison)).toBe(false);
    const text = describeAdoption({ ...adoption, plan, comparison });
    expect(text).toContain(`controlplane-1 (controlplane, 10.0.0.1): nothing changes`);
    expect(text).toContain(
      `worker-blue (worker, 10.0.1.1): 2 places would change\n      machine.kubelet.image\n      machine.nodeLabels`,
    );
    expect(text).not.toContain("apps");
  });

  it("names what a preview refuses", () => {
    const adoption = ofTerraform(usualCluster(secrets));
    const [role] = adoption.plan.roles;
    if (role === undefined) {
      throw new Error("a role is missing");
    }
    const refusedPlan = {
      ...adoption.plan,
      roles: [{ ...role, arguments: { ...role.arguments, kubernetesVersion: "1.20.0" } }],
    };
    const comparison = compareMachines(refusedPlan);
    expect(comparison.refused.join()).toMatch(/"controlplane": kubernetesVersion: /);
    expect(changesNothing(comparison)).toBe(false);
  });

  it("has no secret in the program, the report or the steps", () => {
    const password = "a-registry-password-of-mine";
    const base = usualCluster(secrets);
    const auth = {
      machine: { registries: { config: { "r.example.com": { auth: { password } } } } },
    };
    const adoption = ofTerraform({
      ...base,
      patches: { ...base.patches, controlplane: [JSON.stringify(auth)] },
    });
    expect(changesNothing(adoption.comparison)).toBe(true);
    const shown = [
      ...Object.values(adoption.project.files),
      describeAdoption(adoption),
      describeSteps(adoption),
    ].join("\n");
    const values = [...secretValues(secrets), password];
    expect(values.filter((value) => shown.includes(value))).toEqual([]);
    expect(Object.keys(adoption.project.secretSettings)).toEqual([
      "importedSecrets",
      "patches_controlplane-1",
    ]);
    expect(adoption.project.files["index.ts"]).toContain(
      'patches: [config.requireSecret("patches_controlplane-1")]',
    );
  });

  it("keeps JSON patches, and takes those with a secret as settings", () => {
    const add = (path: string, value: unknown) => JSON.stringify([{ op: "add", path, value }]);
    const auth = { "r.example.com": { auth: { username: "me", password: "a-password-of-mine" } } };
    const adoption = ofTerraform({
      ...usualCluster(secrets),
      contract: "v1.11",
      patches: {
        worker: [
          add("/machine/nodeLabels", { pool: "apps" }),
          add("/machine/registries", { config: auth }),
        ],
      },
    });
    expect(adoption.comparison.refused).toEqual([]);
    expect(changesNothing(adoption.comparison)).toBe(true);
    expect(adoption.plan.roles[1]?.patches.map(({ isSecret }) => isSecret)).toEqual([false, true]);
  });

  it("warns of machines that a destroy of Terraform wipes", () => {
    const state = JSON.stringify(terraformState(usualCluster(secrets))).replace(
      '"on_destroy":null',
      '"on_destroy":{"reset":true,"graceful":true,"reboot":false}',
    );
    const adoption = adopted(readTerraformState(JSON.parse(state) as never));
    expect(describeAdoption(adoption)).toContain(
      '"talos_machine_configuration_apply.controlplane[0]" has on_destroy.reset',
    );
  });

  it("tells how to leave Terraform, and how to go back", () => {
    const steps = describeSteps(ofTerraform(usualCluster(secrets)));
    expect(steps).toContain("terraform state pull > before.tfstate");
    expect(steps).toContain("terraform state rm 'talos_machine_secrets.this'");
    expect(steps).toContain(
      `terraform state rm 'talos_machine_configuration_apply.worker["blue"]'`,
    );
    expect(steps).toContain("terraform state rm 'talos_machine_bootstrap.this'");
    expect(steps).toContain("Never run `terraform destroy` there");
    expect(steps).not.toContain("data.talos");
  });

  it("takes the instance of a machine's address as its id, and names AWS for pulumi import", () => {
    const state = terraformState(usualCluster(secrets));
    const instance = (index: number) => ({
      schema_version: 1,
      index_key: index,
      attributes: { id: `i-0${index}`, private_ip: `10.0.0.${index + 1}`, public_ip: "" },
    });
    const aws = { mode: "managed", provider: "aws" };
    const { plan, aws: found } = adopted(
      readTerraformState({
        ...state,
        resources: [
          ...state.resources,
          { ...aws, type: "aws_instance", name: "cp", instances: [0, 1, 2].map(instance) },
          {
            ...aws,
            type: "aws_route_table_association",
            name: "a",
            instances: [{ schema_version: 0, attributes: { id: "rtbassoc-1" } }],
          },
        ],
      }),
    );
    expect(plan.roles[0]?.machines.map(({ machineId }) => machineId)).toEqual([
      "i-00",
      "i-01",
      "i-02",
    ]);
    expect(plan.roles[1]?.machines.map(({ machineId }) => machineId)).toEqual([
      "10.0.1.1",
      "10.0.1.2",
    ]);
    expect(JSON.parse(found.importFile ?? "")).toEqual({
      resources: [1, 2, 3].map((number) => ({
        type: "aws:ec2/instance:Instance",
        name: `instance-cp-${number}`,
        id: `i-0${number - 1}`,
      })),
    });
    expect(found.others).toEqual(["aws_route_table_association.a"]);
  });
});

describe("a state with several clusters", () => {
  it("needs the name of one", async () => {
    const other = { ...usualCluster(await generateSecretsBundle()), clusterName: "other" };
    const state = terraformState(usualCluster(secrets), other);
    const clusters = readClusters(readTerraformState(state), "the state");
    expect(() => chooseCluster(clusters, undefined)).toThrow(
      'the state has several: name one of "demo", "other" with --cluster',
    );
    expect(() => chooseCluster(clusters, "third")).toThrow('there is none of the name "third"');
    const chosen = chooseCluster(clusters, "other");
    expect(chosen.managed.map(({ address }) => address)).toContain("talos_machine_secrets.this_2");
    expect(chosen.managed.map(({ address }) => address)).not.toContain(
      "talos_machine_secrets.this",
    );
    expect(changesNothing(compareMachines(planAdoption(chosen)))).toBe(true);
  });
});

describe("states that can't be read", () => {
  it.each<readonly [string, object, RegExp]>([
    ["an old format", { version: 3, terraform_version: "0.11.0" }, /format version 3, and 4 is/],
    ["a newer output", { format_version: "2.0" }, /"2\.0", and "1\.0" and later/],
    ["an encrypted one", { encrypted_data: "x" }, /"tofu state pull"/],
    ["an empty one", { version: 4, resources: [] }, /it has no resources/],
  ])("are refused: %s", (_name, json, message) => {
    expect(() => readTerraformState(json as never)).toThrow(message);
  });

  it("are refused with all problems: another schema, write-only arguments", () => {
    const text = JSON.stringify(terraformState(usualCluster(secrets)));
    const state = JSON.parse(text) as { resources: { type: string; instances: Stated[] }[] };
    const of = (type: string) =>
      state.resources.filter((each) => each.type === type).flatMap(({ instances }) => instances);
    const [made] = of("talos_machine_secrets");
    const [written] = of("talos_machine_configuration_apply");
    if (made === undefined || written === undefined) {
      throw new Error("a resource is missing");
    }
    made.schema_version = 2;
    written.attributes.machine_configuration = null;
    const read = () => readClusters(readTerraformState(state), "the state");
    expect(read).toThrow(/"talos_machine_secrets\.this" has the schema version 2, and 1 is/);
    expect(read).toThrow(/"talos_machine_configuration_apply\.controlplane\[0\]" records no conf/);
  });

  it("are refused with machines of a provider that isn't supported yet", () => {
    const state = terraformState(usualCluster(secrets));
    const text = JSON.stringify(state).replace(
      '"talos_machine_configuration_apply","name":"worker"',
      '"talos_machine","name":"worker"',
    );
    expect(() => readClusters(readTerraformState(JSON.parse(text) as never), "the state")).toThrow(
      /"talos_machine\.worker\["blue"\]" is a resource of siderolabs\/talos v0\.12, and v0\.4 to/,
    );
  });

  it("are refused where a machine has other secrets than recorded", () => {
    const state = terraformState(usualCluster(secrets));
    const changed = JSON.parse(
      JSON.stringify(state).replaceAll(
        `"secret":"${secrets.cluster.secret}"`,
        `"secret":"${randomBytes(32).toString("base64")}"`,
      ),
    ) as typeof state;
    const [cluster] = readClusters(readTerraformState(changed), "the state");
    expect(() => cluster && planAdoption(cluster)).toThrow(
      /controlplane\[0\]" has other secrets .*, at cluster\.secret: give a talosconfig/,
    );
  });

  it("are refused where secrets are missing", () => {
    const state = terraformState(usualCluster(secrets));
    const changed = JSON.parse(
      JSON.stringify(state).replaceAll(`"token":"${secrets.trustdinfo.token}"`, `"token":null`),
    ) as typeof state;
    const [cluster] = readClusters(readTerraformState(changed), "the state");
    expect(() => cluster && planAdoption(cluster)).toThrow(/its secrets: trustdinfo\.token is m/);
  });
});

describe("a file that is none of them", () => {
  it.each<readonly [string, string, RegExp]>([
    ["text", "hello: world", /is neither a Terraform state nor/],
    ["other JSON", "[1]", /is neither a Terraform state nor/],
    ["no context", "context: a\ncontexts: {}\n", /has no current context with ca, crt and key/],
  ])("is refused: %s", async (_name, content, message) => {
    const folder = await mkdtemp(join(tmpdir(), "adopt-"));
    const file = join(folder, "given");
    await writeFile(file, content);
    const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      const code = await run(["adopt", file, "--check"]);
      expect([code, told.mock.calls.join("")]).toEqual([1, expect.stringMatching(message)]);
      expect(await run(["adopt", join(folder, "missing")])).toBe(1);
      expect(told.mock.calls.join("")).toMatch(/missing" can't be read: the file does not exist/);
    } finally {
      told.mockRestore();
      await rm(folder, { recursive: true });
    }
  });
});

interface Stated {
  schema_version: number;
  attributes: Record<string, unknown>;
}

describe("a cluster of pulumiverse/talos", () => {
  it("is declared so that no machine changes, with what it doesn't record as patches", () => {
    const { comparison, plan } = adopted(readPulumiState(pulumiState(usualCluster(secrets))));
    expect(changesNothing(comparison)).toBe(true);
    expect(plan.roles.map(({ name, arguments: own }) => [name, own.versionContract])).toEqual([
      ["controlplane", "v1.12"],
      ["worker", "v1.12"],
    ]);
    const worker = plan.roles[1];
    expect(worker?.patches.flatMap(({ keeps = [] }) => keeps)).toEqual(["machine.nodeLabels"]);
    expect(worker?.machines[0]?.ownPatches.flatMap(({ keeps = [] }) => keeps)).toEqual([
      "machine.nodeAnnotations",
    ]);
  });

  it("leaves its stack in an order that pulumi allows", () => {
    const resources = readPulumiState(pulumiState(usualCluster(secrets)));
    const steps = describeSteps(adopted(resources, "pulumi"));
    const removed = [...steps.matchAll(/pulumi state delete '\S+::(\S+)'/g)].map(
      ([, name]) => name,
    );
    expect(removed).toHaveLength(6);
    expect(removed.at(-1)).toBe("secrets");
    expect(steps).toContain("pulumi stack export > before.json");
    expect(steps).toContain("Never run `pulumi destroy` there");
  });

  it.each(["v1.10", "v1.11", "v1.12", "v1.13"])("has its contract found: %s", (contract) => {
    const state = pulumiState({ ...usualCluster(secrets), contract });
    const { comparison, plan } = adopted(readPulumiState(state), "pulumi");
    expect(changesNothing(comparison)).toBe(true);
    expect(plan.roles[0]?.arguments.versionContract).toBe(contract);
  });

  it("is refused with encrypted secrets, and of an unknown version of the package", () => {
    const state = JSON.stringify(pulumiState(usualCluster(secrets)));
    const bad = state.replaceAll('"plaintext":', '"ciphertext":').replace('0.8.1"}', '0.9.0"}');
    const read = () => readPulumiState(JSON.parse(bad) as never);
    expect(read).toThrow(/"pulumi stack export --show-secrets" prints/);
    expect(read).toThrow(/talos "0\.9\.0" wrote it, and 0\.2 to 0\.8 are supported/);
    expect(() => readPulumiState({ deployment: { resources: [] } })).toThrow(
      "it has no resource of pulumiverse/talos",
    );
  });
});
