import type { EtcdMember } from "../../api/etcdCalls";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { type Machine, withMachine } from "../machine";

/**
 * A machine that must leave and doesn't answer. After a long enough silence it counts as gone. A
 * machine that only restarts loses nothing by that.
 */
export class SilentMachine {
  private since: number | undefined;

  /** @param goneMs how long it must be silent to count as gone */
  constructor(
    readonly node: string,
    readonly goneMs = 30_000,
  ) {}

  /** Whether it is gone. Its silence begins with the first call. */
  isGone(): boolean {
    this.since ??= clock.now();
    return clock.now() - this.since >= this.goneMs;
  }

  /**
   * Makes another machine remove its member from etcd, with a warning.
   *
   * @throws TalosApiError if etcd refuses, for example because it would lose its majority
   */
  async removeMember(
    { id, hostname }: EtcdMember,
    through: Machine,
    signal: AbortSignal,
    { warn }: Progress,
  ): Promise<void> {
    await withMachine(through, (client) => client.etcdRemoveMember(id, { signal }));
    warn(
      `machine ${this.node} is gone: it has not answered for ${this.goneMs / 1_000} s, so ${through.node} removed its member ${hostname} from etcd`,
    );
  }
}
