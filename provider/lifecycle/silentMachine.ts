import type { EtcdMember } from "../api/etcdCalls";
import { clock } from "../clock";
import type { Progress } from "../progress";
import type { Machine } from "./machine";
import { withMachine } from "./withMachine";

/**
 * A machine that is to leave and doesn't answer. Silent for long enough it counts as gone; one that
 * merely restarts loses nothing by that.
 */
export class SilentMachine {
  #since: number | undefined;

  /** @param goneMs how long that is */
  constructor(
    readonly node: string,
    readonly goneMs = 30_000,
  ) {}

  /** Whether it is gone; its silence begins with the first time that this is asked. */
  isGone(): boolean {
    this.#since ??= clock.now();
    return clock.now() - this.#since >= this.goneMs;
  }

  /**
   * Has another machine take its member out of etcd, with a warning.
   *
   * @throws TalosApiError when etcd refuses, for example as it would lose its majority
   */
  async takeOut(
    { id, hostname }: EtcdMember,
    through: Machine,
    signal: AbortSignal,
    { warn }: Progress,
  ): Promise<void> {
    await withMachine(through, (client) => client.etcdRemoveMember(id, { signal }));
    warn(
      `machine ${this.node} is gone: it has not answered for ${this.goneMs / 1_000} s, so ${through.node} took its member ${hostname} out of etcd`,
    );
  }
}
