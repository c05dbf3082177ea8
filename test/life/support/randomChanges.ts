import type { TalosClusterArgs } from "../../../components";
import {
  ROTATABLE_SECRETS,
  ROTATION_STAGES,
  type RotationStage,
  type RotationStep,
} from "../../../provider/pki/rotation/rotation";

/** What a person changes at once: words for it, and all arguments afterwards. */
export interface RandomChange {
  readonly words: string;
  readonly args: TalosClusterArgs;
}

/** One kind of change. Several follow each other in one `RandomChange`. */
type Kind = (args: TalosClusterArgs, random: Random) => RandomChange;

/** The most kinds of changes at once. */
const MOST_AT_ONCE = 3;

/** A list with an item at least. */
type Choices<Item> = readonly [Item, ...Item[]];

/** Chooses, by numbers from 0 to 1. */
export class Random {
  constructor(private readonly next: () => number) {}

  /** A whole number from 0 on, below the count. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  of<Item>(choices: Choices<Item>): Item {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** Mostly the release after the present one, sometimes the one before it, or any. */
  release(releases: Choices<string>, present: unknown): string {
    const index = releases.findIndex((each) => each === present);
    const neighbour = releases[index + (this.below(4) === 0 ? -1 : 1)];
    return this.below(8) === 0 || neighbour === undefined ? this.of(releases) : neighbour;
  }
}

const talosRelease: Kind = (args, random) => {
  const releases = ["v1.11.5", "v1.12.0", "v1.12.1", "v1.13.0"] as const;
  const talosVersion = random.release(releases, args.talosVersion);
  return { words: `Talos ${talosVersion}`, args: { ...args, talosVersion } };
};

const kubernetesRelease: Kind = (args, random) => {
  const releases = ["v1.33.0", "v1.34.0", "v1.34.1", "v1.35.0", "v1.36.0"] as const;
  const kubernetesVersion = random.release(releases, args.kubernetesVersion);
  return { words: `Kubernetes ${kubernetesVersion}`, args: { ...args, kubernetesVersion } };
};

const controlPlaneCount: Kind = (args, random) => {
  const machineCount = random.of([1, 3, 3, 5]);
  const controlPlane = { ...args.controlPlane, machineCount };
  return { words: `${machineCount} control plane machines`, args: { ...args, controlPlane } };
};

const controlPlaneType: Kind = (args, random) => {
  const instanceType = random.of(["m6i.large", "m6i.xlarge", "m7i.large"]);
  const controlPlane = { ...args.controlPlane, instanceType };
  return { words: `control plane ${instanceType}`, args: { ...args, controlPlane } };
};

/** Machines reboot for another kernel module. */
const controlPlaneReboot: Kind = (args, random) => {
  const name = random.of(["dummy0", "dummy1", "dummy2"]);
  const patches = [{ machine: { kernel: { modules: [{ name }] } } }];
  return { words: `control plane with ${name}`, args: { ...args, patches } };
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

const fixedPoolCount = fixedPool((random) => ({ machineCount: random.below(4) }));

const fixedPoolType = fixedPool((random) => ({
  instanceType: random.of(["m6i.large", "m6i.xlarge", "c6i.large"]),
}));

const fixedPoolLabel = fixedPool((random) => ({ labels: { tier: random.of(["one", "two"]) } }));

/** Makes, resizes or removes the auto scaling pool `burst`. */
const scalingPool: Kind = (args, random) => {
  const { burst, ...others } = args.workerPools ?? {};
  if (burst !== undefined && random.below(2) === 0) {
    return { words: "no auto scaling pool", args: { ...args, workerPools: others } };
  }
  const minSize = 1 + random.below(2);
  const autoScaling = { minSize, maxSize: 4, warmupSeconds: 1 };
  return {
    words: `auto scaling pool of ${minSize}`,
    args: { ...args, workerPools: { ...others, burst: { autoScaling, subnets: "private" } } },
  };
};

const workerPatch: Kind = (args, random) => {
  const somaxconn = random.of(["1024", "2048", "4096"]);
  const patches = [{ machine: { sysctls: { "net.core.somaxconn": somaxconn } } }];
  return { words: `workers' somaxconn ${somaxconn}`, args: { ...args, workers: { patches } } };
};

const tags: Kind = (args, random) => {
  const owner = random.of(["one", "two", "three"]);
  return { words: `tag ${owner}`, args: { ...args, tags: { owner } } };
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

/** The more often one is named, the more often it is chosen. */
const kinds: Choices<Kind> = [
  talosRelease,
  ...[talosRelease, kubernetesRelease, kubernetesRelease, rotationStage, rotationStage],
  ...[controlPlaneCount, controlPlaneType, controlPlaneReboot],
  ...[fixedPoolCount, fixedPoolType, fixedPoolLabel, scalingPool, workerPatch, tags],
];

/** Some kinds of changes at once, each of them once. */
export function randomChange(args: TalosClusterArgs, random: Random): RandomChange {
  const count = 1 + random.below(MOST_AT_ONCE);
  const chosen = new Set(Array.from({ length: count }, () => random.of(kinds)));
  const change = { words: [] as string[], args };
  for (const kind of chosen) {
    const { words, args: changed } = kind(change.args, random);
    change.words.push(words);
    change.args = changed;
  }
  return { words: change.words.join(", "), args: change.args };
}
