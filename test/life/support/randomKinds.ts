import type { TalosClusterArgs } from "../../../components";
import {
  ROTATABLE_SECRETS,
  ROTATION_STAGES,
  type RotationStage,
  type RotationStep,
} from "../../../provider/pki/rotation/rotation";
import type { Choices, Random, RandomChange } from "./randomChanges";

/** One kind of change. Several follow each other in one `RandomChange`. */
export type Kind = (args: TalosClusterArgs, random: Random) => RandomChange;

/** Another choice for the cluster itself. */
const cluster =
  (choose: (random: Random) => Partial<TalosClusterArgs>): Kind =>
  (args, random) => {
    const chosen = choose(random);
    return { words: JSON.stringify(chosen), args: { ...args, ...chosen } };
  };

/** Another choice for the control plane. */
const controlPlane =
  (choose: (random: Random) => NonNullable<TalosClusterArgs["controlPlane"]>): Kind =>
  (args, random) => {
    const chosen = choose(random);
    return {
      words: `control plane ${JSON.stringify(chosen)}`,
      args: { ...args, controlPlane: { ...args.controlPlane, ...chosen } },
    };
  };

/** Another choice for the fixed pool `apps`. */
const fixedPool =
  (choose: (random: Random) => Readonly<Record<string, unknown>>): Kind =>
  (args, random) => {
    const chosen = choose(random);
    const apps = { machineCount: 1, ...args.workerPools?.apps, ...chosen };
    const workerPools = { ...args.workerPools, apps } as TalosClusterArgs["workerPools"] & object;
    return { words: `fixed pool ${JSON.stringify(chosen)}`, args: { ...args, workerPools } };
  };

/** Another patch of all machines, in the place of the one with the same name. */
const patch =
  (name: string, choose: (random: Random) => object | undefined): Kind =>
  (args, random) => {
    const chosen = choose(random);
    const patches = ((args.patches ?? []) as object[]).filter(
      (each) => !JSON.stringify(each).includes(`"${name}"`),
    );
    return {
      words: `patch ${JSON.stringify(chosen ?? `no ${name}`)}`,
      args: { ...args, patches: [...patches, ...(chosen === undefined ? [] : [chosen])] },
    };
  };

const talosRelease: Kind = (args, random) => {
  const releases = ["v1.12.1", "v1.13.0", "v1.13.9", "v1.14.1"] as const;
  const talosVersion = random.release(releases, args.talosVersion);
  return { words: `Talos ${talosVersion}`, args: { ...args, talosVersion } };
};

const kubernetesRelease: Kind = (args, random) => {
  const releases = ["v1.34.0", "v1.35.0", "v1.36.0", "v1.36.1", "v1.37.0"] as const;
  const kubernetesVersion = random.release(releases, args.kubernetesVersion);
  return { words: `Kubernetes ${kubernetesVersion}`, args: { ...args, kubernetesVersion } };
};

/** Makes, changes or removes the auto scaling pool `burst`. */
const scalingPool: Kind = (args, random) => {
  const { burst, ...others } = args.workerPools ?? {};
  if (burst !== undefined && random.below(3) === 0) {
    return { words: "no auto scaling pool", args: { ...args, workerPools: others } };
  }
  const chosen = random.of<object>([
    { drainSeconds: 30 },
    { drainSeconds: undefined },
    { groups: random.of(["perZone", "single"]) },
    { maxHealthyPercentage: random.of([110, 200]) },
  ]);
  const autoScaling = {
    maxSize: 4,
    warmupSeconds: 1,
    ...burst?.autoScaling,
    ...chosen,
    minSize: 1 + random.below(2),
  };
  const machines = random.of<object>([
    { labels: { tier: random.of(["one", "two"]) } },
    { instanceType: random.of(["m6i.large", "c6i.large"]) },
    { rootVolumeSizeGib: random.of([60, 80]) },
  ]);
  return {
    words: `auto scaling pool ${JSON.stringify([autoScaling, machines])}`,
    args: {
      ...args,
      workerPools: {
        ...others,
        burst: { subnets: "private", ...burst, ...machines, autoScaling } as never,
      },
    },
  };
};

/** Mostly the next stage, of one secret or of all; sometimes any stage. */
const rotationStage: Kind = (args, random) => {
  const one = random.of(["talosCa", ...ROTATABLE_SECRETS] as const);
  const secrets = random.below(2) === 0 ? ROTATABLE_SECRETS : [one];
  const isAny = random.below(8) === 0;
  const steps = secrets.map((secret): readonly [string, RotationStep] => {
    const { to, stage } = args.rotation?.[secret] ?? { to: 1, stage: undefined };
    const stages: Choices<RotationStage> = ROTATION_STAGES[secret];
    if (isAny) {
      return [secret, { to: to + random.below(2), stage: random.of(stages) }];
    }
    const next = stage && stages[stages.indexOf(stage) + 1];
    return [secret, next === undefined ? { to: to + 1, stage: stages[0] } : { to, stage: next }];
  });
  return {
    words: `rotation ${JSON.stringify(Object.fromEntries(steps))}`,
    args: { ...args, rotation: { ...args.rotation, ...Object.fromEntries(steps) } },
  };
};

const settings = (value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default}\ndata: {value: ${value}}\n`;

/** Changes of machines: their number, type, zone, network and release. */
const ofMachines: Choices<Kind> = [
  ...([talosRelease, talosRelease] as const),
  controlPlane((random) => ({ machineCount: random.of([1, 3, 3, 5]) })),
  controlPlane((random) => ({ instanceType: random.of(["m6i.large", "m6i.xlarge", "m7i.large"]) })),
  controlPlane((random) => ({ fixedAddresses: random.of([true, false]) })),
  controlPlane((random) => ({ rootVolumeSizeGib: random.of([50, 60, 80]) })),
  controlPlane((random) => ({ rootVolume: { iops: random.of([3_000, 4_000]) } })),
  controlPlane((random) => ({
    machines: { "2": { zone: random.of(["us-east-1a", "us-east-1b"]) } },
  })),
  fixedPool((random) => ({ machineCount: random.below(4) })),
  fixedPool((random) => ({ instanceType: random.of(["m6i.large", "m6i.xlarge", "c6i.large"]) })),
  fixedPool((random) => ({ subnets: random.of(["public", "private"]) })),
  fixedPool((random) => ({ rootVolumeSizeGib: random.of([50, 60, 80]) })),
  fixedPool((random) => ({
    dataVolumes: random.of<object>([{}, { data: { sizeGib: 20 } }, { data: { sizeGib: 30 } }]),
  })),
  fixedPool((random) => ({ maxUnavailable: random.of([1, 2, "50%"]) })),
  fixedPool((random) => ({ machines: { "1": { replacement: random.of(["one", "two"]) } } })),
  fixedPool((random) => ({
    machines: { "1": { zone: random.of(["us-east-1a", "us-east-1b"]) } },
  })),
  scalingPool,
];

/** Changes of what machines run. */
const ofConfigurations: Choices<Kind> = [
  ...([kubernetesRelease, kubernetesRelease, rotationStage, rotationStage] as const),
  // Machines reboot for another kernel module.
  patch("kernel", (random) => {
    const name = random.of(["dummy0", "dummy1", "dummy2"]);
    return { machine: { kernel: { modules: [{ name }] } } };
  }),
  patch("apiServer", (random) => ({
    cluster: { apiServer: { extraArgs: { v: random.of(["1", "2"]) } } },
  })),
  patch("proxy", (random) => ({
    cluster: { proxy: { extraArgs: { v: random.of(["1", "2"]) } } },
  })),
  patch("inlineManifests", (random) => {
    const value = random.of(["one", "two", undefined]);
    return value === undefined
      ? undefined
      : { cluster: { inlineManifests: [{ name: "settings", contents: settings(value) }] } };
  }),
  fixedPool((random) => ({ labels: { tier: random.of(["one", "two"]) } })),
  cluster((random) => {
    const somaxconn = random.of(["1024", "2048", "4096"]);
    return {
      workers: { patches: [{ machine: { sysctls: { "net.core.somaxconn": somaxconn } } }] },
    };
  }),
];

/** Changes around the machines. */
const ofSurroundings: Choices<Kind> = [
  cluster((random) => ({ tags: { owner: random.of(["one", "two", "three"]) } })),
  cluster((random) => ({ talosApiThroughLoadBalancer: random.of([true, false]) })),
  cluster((random) => ({
    operatorCidrs: random.of([["127.0.0.0/8"], ["127.0.0.0/8", "203.0.113.0/24"]]),
  })),
  cluster((random) => {
    const zones = ["us-east-1a", "us-east-1b", "us-east-1c"].slice(0, random.of([2, 3]));
    return { network: { zones, nat: "single" } };
  }),
];

/** What is switched on and off. */
const ofSwitches: Choices<Kind> = [
  cluster((random) => ({ kubeSpan: random.of([true, false]) })),
  cluster((random) => ({ irsa: random.of([true, false]) })),
  cluster((random) => ({ syncManifests: random.of([true, true, false]) })),
  cluster((random) => ({ loadBalancerIdleTimeoutSeconds: random.of([350, 600]) })),
  cluster((random) => ({ talosconfigLifetimeHours: random.of([1_000, 2_000]) })),
  cluster((random) => ({
    kubernetesApiCidrs: random.of([["127.0.0.0/8"], ["127.0.0.0/8", "198.51.100.0/24"]]),
  })),
  // No cloud controller: the emulated cluster runs none, so nodes of ended machines would stay.
  cluster((random) => ({
    addOns: random.of<object>([
      {},
      { nodeTerminationHandler: true },
      { metricsServer: true, servingCertificateApprover: true },
    ]),
  })),
  controlPlane((random) => ({ detailedMonitoring: random.of([true, false]) })),
  controlPlane((random) => ({ metadataHopLimit: random.of([1, 2]) })),
];

/** The kinds in groups; a group that is named more often is chosen more often. */
export const kinds: Choices<Choices<Kind>> = [
  ...([ofMachines, ofMachines, ofConfigurations, ofConfigurations] as const),
  ...([ofSurroundings, ofSwitches] as const),
];
