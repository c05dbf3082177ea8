import { readFileSync } from "node:fs";
import { join } from "node:path";
import { factsSinceBoot } from "../../../../emulator/talos/config/filesOfBoot";
import {
  type ClusterConfig,
  isClusterConfig,
  parseConfig,
} from "../../../../emulator/talos/config/loadConfig";
import type { MachineFacts } from "../../../../emulator/talos/config/machineFacts";
import { etcdTrustOf } from "../../../../emulator/talos/etcd/etcdTrust";
import { publicKeysIn } from "../../../../emulator/talos/kubernetes/serviceAccountToken";
import { judgeAuthorities } from "../../../../provider/config/authorityPath";
import { rebootPaths } from "../../../../provider/config/effects/changeEffects";
import { outlineDocuments } from "../../../../provider/config/effects/outline";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { encodeDocuments } from "../../../../provider/config/yaml/encode";
import {
  ROTATION_FOLLOWINGS,
  type StageFollowing,
  type TalosColumn,
  whoReboots,
} from "../../../../provider/pki/rotation/followings";
import type { TokenHolder } from "../../../../provider/pki/rotation/planTrustdToken";
import {
  type RotatableSecret,
  ROTATABLE_SECRETS,
  ROTATION_STAGES,
  type Rotation,
  type RotationStage,
  type RotationStep,
  stepAt,
} from "../../../../provider/pki/rotation/rotation";
import { type Generations, rotatedMachine, twoGenerations } from "./rotatedMachines";

const RELEASES = {
  until13: { talosVersion: "v1.13.9", kubernetesVersion: "1.36.3", minor: 13 },
  from14: { talosVersion: "v1.14.1", kubernetesVersion: "1.36.3", minor: 14 },
} as const;

/** How settings are written, by contracts that each release has. */
const FORMS = {
  fields: { versionContract: "v1.12" },
  risen: { versionContract: "v1.14", contractDefaults: "v1.12" },
  documents: { versionContract: "v1.14" },
} as const;

type Form = keyof typeof FORMS;

const HOLDERS: readonly TokenHolder[] = ["firstControlPlane", "controlplane", "worker"];

const columns = Object.keys(RELEASES) as TalosColumn[];

/** Every stage of every rotation, with the step before it. */
const stages = ROTATABLE_SECRETS.flatMap((secret) =>
  ROTATION_STAGES[secret].map((stage, index) => ({
    secret,
    stage: stage,
    before: stepAt(secret, index),
    after: stepAt(secret, index + 1),
  })),
);

let generations: Generations;

beforeAll(async () => {
  generations = await twoGenerations();
});

function machine(
  secret: RotatableSecret,
  step: RotationStep | undefined,
  holder: TokenHolder,
  talos: TalosColumn,
  form: Form = "fields",
): ConfigDocument[] {
  const rotation: Rotation = step === undefined ? {} : { [secret]: step };
  const { talosVersion, kubernetesVersion } = RELEASES[talos];
  const documents = rotatedMachine(generations, rotation, holder, {
    talosVersion,
    kubernetesVersion,
    ...FORMS[form],
  });
  const schema = talosSchema(talosVersion);
  expect(validateDocuments(documents, { schema })).toEqual([]);
  return documents;
}

function loaded(documents: readonly ConfigDocument[]): ClusterConfig {
  const config = parseConfig(encodeDocuments(documents));
  if (!isClusterConfig(config)) {
    throw new Error("it is no configuration of a cluster");
  }
  return config;
}

/** What a simulated machine accepts; the first of each is what it uses. */
function acceptedBy({ controlPlane, ...facts }: MachineFacts): Record<RotatableSecret, unknown> {
  const [signing, ...others] = publicKeysIn(controlPlane.serviceAccounts.keys).map((key) =>
    key.export({ type: "spki", format: "pem" }),
  );
  const [issuing, ...trusted] = etcdTrustOf(facts.etcdCa)?.trusted ?? [];
  return {
    talosCa: facts.acceptedCas,
    kubernetesCa: facts.kubernetesAcceptedCas,
    etcdCa: [issuing, trusted.sort()],
    aggregatorCa: facts.aggregatorCas,
    serviceAccountKey: [signing, [...new Set(others)].filter((key) => key !== signing)],
    secretboxKey: controlPlane.encryptionKeys,
    bootstrapToken: facts.manifests.bootstrapToken,
    trustdToken: facts.token,
    discoveryIdentity: [facts.clusterId, facts.clusterSecret],
  };
}

describe.each([
  ...columns.map((talos) => ({ talos, form: "fields" as const })),
  { talos: "from14" as const, form: "documents" as const },
])("the stages of rotations, $talos, in $form", ({ talos, form }) => {
  const { minor, talosVersion } = RELEASES[talos];

  it.each(stages)("$secret: $stage", ({ secret, stage, before, after }) => {
    const cells: Readonly<Partial<Record<RotationStage, StageFollowing>>> =
      ROTATION_FOLLOWINGS[secret][talos];
    const {
      controlplane,
      firstControlPlane = controlplane,
      worker,
    } = cells[stage] ?? {
      controlplane: "none",
      worker: "none",
    };
    expect(cells[stage]).toBeDefined();
    const expected = { firstControlPlane, controlplane, worker };
    for (const holder of HOLDERS) {
      const [old, next] = [before, after].map((step) => machine(secret, step, holder, talos, form));
      const [was, is] = [old ?? [], next ?? []].map((documents) => outlineDocuments(documents));
      expect(judgeAuthorities(was ?? {}, is ?? {}).problems).toEqual([]);
      const isSame = encodeDocuments(old ?? []) === encodeDocuments(next ?? []);
      const paths = rebootPaths(was ?? {}, is ?? {}, minor);
      const following = isSame ? "none" : paths.length === 0 ? "live" : "reboot";
      expect([holder, following]).toEqual([holder, expected[holder]]);
      // What is said to take effect at once does so on a simulated machine, without a boot.
      const [booted, given] = [loaded(old ?? []), loaded(next ?? [])];
      const running =
        following === "reboot" ? given.facts : factsSinceBoot(given, booted, talosVersion);
      expect(acceptedBy(running)).toEqual(acceptedBy(given.facts));
      expect(running.controlPlane.apiServer.fileFault).toBeUndefined();
    }
  });
});

/** Every place of a rotation that Talos v1.13 has, the one before it among them. */
const places = stages.flatMap(({ secret, stage, before, after }) => [
  ...(stage === "accept" ? [{ secret, at: "not begun", from: before, to: before }] : []),
  { secret, at: `${stage}, begun with the upgrade`, from: before, to: after },
  { secret, at: stage, from: after, to: after },
]);

describe("a contract that rises to v1.14, with the former defaults, in a rotation", () => {
  it.each(stages)("$secret: $stage", ({ secret, before, after, stage }) => {
    const { from14 } = ROTATION_FOLLOWINGS[secret];
    const cells: Readonly<Partial<Record<RotationStage, StageFollowing>>> = from14;
    for (const holder of HOLDERS) {
      const { controlplane: usual = "none", ...others } = cells[stage] ?? {};
      const following = {
        firstControlPlane: usual,
        controlplane: usual,
        worker: "none",
        ...others,
      };
      // Between two stages, or together with one; and each way back.
      for (const [from, to, expected] of [
        [after, after, false],
        [before, after, following[holder] === "reboot"],
      ] as const) {
        const old = machine(secret, from, holder, "from14");
        const next = machine(secret, to, holder, "from14", "risen");
        const [was, is] = [old, next].map((documents) => outlineDocuments(documents));
        expect(judgeAuthorities(was ?? {}, is ?? {}).problems).toEqual([]);
        expect(rebootPaths(was ?? {}, is ?? {}, 14).length > 0).toBe(expected);
        const [booted, given] = [loaded(old), loaded(next)];
        const running = expected
          ? given.facts
          : factsSinceBoot(given, booted, RELEASES.from14.talosVersion);
        expect(acceptedBy(running)).toEqual(acceptedBy(given.facts));
        expect(running.controlPlane.apiServer.fileFault).toBeUndefined();
        if (from === to) {
          expect(acceptedBy(given.facts)).toEqual(acceptedBy(booted.facts));
          expect(rebootPaths(is ?? {}, was ?? {}, 14)).toEqual([]);
          expect(judgeAuthorities(is ?? {}, was ?? {}).problems).toEqual([]);
        }
      }
    }
  });
});

describe("a rotation that was begun before Talos v1.14", () => {
  it.each(places)("$secret: $at goes on after the upgrade", ({ secret, from, to }) => {
    for (const holder of HOLDERS) {
      const old = machine(secret, from, holder, "until13");
      const next = machine(secret, to, holder, "from14");
      const [was, is] = [old, next].map((documents) => outlineDocuments(documents));
      expect(judgeAuthorities(was ?? {}, is ?? {}).problems).toEqual([]);
      // The new Talos boots with the old configuration, and then follows the new one.
      expect(validateDocuments(old, { schema: talosSchema("v1.14.1") })).toEqual([]);
      const [booted, given] = [loaded(old), loaded(next)];
      expect(booted.facts.controlPlane.apiServer.fileFault).toBeUndefined();
      const paths = rebootPaths(was ?? {}, is ?? {}, 14).map((path) => path.join("."));
      const isOther = secret === "etcdCa" && from !== to && to?.stage !== "issue";
      expect(paths).toEqual(isOther && holder !== "worker" ? ["cluster.etcd.ca"] : []);
      const running = factsSinceBoot(given, booted, RELEASES.from14.talosVersion);
      expect(acceptedBy(running)).toEqual(acceptedBy(given.facts));
      if (from === to) {
        expect(acceptedBy(given.facts)).toEqual(acceptedBy(booted.facts));
      }
    }
  });

  it.each(ROTATABLE_SECRETS)(
    "%s: leaves nothing that depends on Talos when it is over",
    (secret) => {
      const drop = { to: 2, stage: "drop" } as const;
      for (const holder of HOLDERS) {
        const [old, next] = columns.map((talos) =>
          JSON.stringify(machine(secret, drop, holder, talos)).replaceAll(
            RELEASES[talos].talosVersion,
            "",
          ),
        );
        expect(next).toEqual(old);
      }
    },
  );
});

it("is what docs/rotation.md says of reboots", () => {
  const page = readFileSync(join(__dirname, "../../../../docs/rotation.md"), "utf8");
  for (const secret of ROTATABLE_SECRETS) {
    const cellOf = (talos: TalosColumn) => {
      const cells: Readonly<Partial<Record<RotationStage, StageFollowing>>> =
        ROTATION_FOLLOWINGS[secret][talos];
      const names = Object.entries(cells).flatMap(([stage, following]) =>
        whoReboots(following) === undefined ? [] : [`\`${stage}\``],
      );
      return names.length === 0 ? "no stage" : names.join(" ");
    };
    const row = page.split("\n").find((line) => line.startsWith(`| \`${secret}\``)) ?? "";
    expect(
      row
        .split("|")
        .map((cell) => cell.trim())
        .slice(-3, -1),
    ).toEqual(columns.map(cellOf));
  }
});
