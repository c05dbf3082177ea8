import { messageOfError } from "../../../provider/base/messageOfError";
import type { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";

const EVERY_MS = 200;
const PORT = 6443;
/** Longer than a busy computer takes for an answer. */
const TIMEOUT_MS = 5_000;

/** What one address answered. */
export interface Heard {
  readonly asked: number;
  readonly failed: number;
  /** From the last answer before a failure to the next one after it, milliseconds. */
  readonly longestGapMs: number;
  /** The releases that it reported, each when it was new. */
  readonly releases: readonly string[];
  /** The failures, each kind once. */
  readonly reasons: readonly string[];
}

/** What all addresses answered. */
export interface HeardOfAll {
  readonly of: Readonly<Record<string, Heard>>;
  /** The most API servers that were away at once. */
  readonly mostAway: number;
}

/** Asks API servers, each and at the balancer, for their version every 200 ms over a new connection. */
export class ApiProbes {
  private readonly timer: NodeJS.Timeout;
  private readonly open = new Set<Promise<void>>();
  private readonly targets: readonly Target[];
  private mostAway = 0;

  /**
   * @param servers addresses by name, of which some may be away
   * @param api the client of the moment
   */
  constructor(
    servers: Readonly<Record<string, string>>,
    balancer: string,
    private readonly api: () => KubernetesApi,
  ) {
    this.targets = [
      ...Object.entries(servers).map(([name, address]) => new Target(name, address, true)),
      new Target("balancer", balancer, false),
    ];
    this.timer = setInterval(() => {
      this.targets.forEach((target) => {
        const asked: Promise<void> = this.ask(target).finally(() => this.open.delete(asked));
        this.open.add(asked);
      });
    }, EVERY_MS);
  }

  /** What was heard, once all questions are answered. */
  async stop(): Promise<HeardOfAll> {
    clearInterval(this.timer);
    await Promise.all(this.open);
    const of = Object.fromEntries(this.targets.map((target) => [target.name, target.heard()]));
    return { of, mostAway: this.mostAway };
  }

  private async ask(target: Target): Promise<void> {
    const { address } = target;
    try {
      const call = { address, port: PORT, timeoutMs: TIMEOUT_MS };
      const { gitVersion } = JSON.parse(await this.api().get("/version", call)) as Version;
      target.answered(gitVersion);
    } catch (error) {
      target.refused(messageOfError(error));
      const away = this.targets.filter(({ isServer, isAway }) => isServer && isAway);
      this.mostAway = Math.max(this.mostAway, away.length);
    }
  }
}

interface Version {
  readonly gitVersion: string;
}

class Target {
  isAway = false;
  private asked = 0;
  private failed = 0;
  private longestGapMs = 0;
  private lastAnswerAt = Date.now();
  private readonly releases: string[] = [];
  private readonly reasons = new Set<string>();

  constructor(
    readonly name: string,
    readonly address: string,
    readonly isServer: boolean,
  ) {}

  answered(release: string): void {
    this.asked += 1;
    const now = Date.now();
    if (this.isAway) {
      this.longestGapMs = Math.max(this.longestGapMs, now - this.lastAnswerAt);
    }
    this.isAway = false;
    this.lastAnswerAt = now;
    if (this.releases.at(-1) !== release) {
      this.releases.push(release);
    }
  }

  refused(reason: string): void {
    this.asked += 1;
    this.failed += 1;
    this.isAway = true;
    this.reasons.add(reason.replace(/\d{5}/g, "…"));
  }

  heard(): Heard {
    const { asked, failed, longestGapMs, releases, reasons } = this;
    return { asked, failed, longestGapMs, releases: [...releases], reasons: [...reasons] };
  }
}
