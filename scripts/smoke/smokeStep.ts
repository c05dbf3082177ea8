import type { EC2Client } from "@aws-sdk/client-ec2";
import type { Stack } from "@pulumi/pulumi/automation";

/** What the settings of the stack say otherwise while a step runs. */
export interface SmokeSettings {
  /** Default: those of the stack's file. */
  readonly zones?: readonly string[];
  /** Of the control plane. Default: that of the stack's file. */
  readonly instanceType?: string;
}

/** The account and the stack that the steps work on. */
export interface SmokeWorld {
  readonly ec2: EC2Client;
  /** Zones of the stack's file, and one more of the region. */
  readonly zones: readonly string[];
  readonly otherZone: string;
  /** Opens the stack with other settings. */
  readonly open: (settings?: SmokeSettings) => Promise<Stack>;
  /** Brings the stack up with other settings. */
  readonly up: (
    settings?: SmokeSettings,
    options?: { readonly refresh?: boolean },
  ) => Promise<void>;
  /** Destroys the stack, whatever was begun and cut off before. */
  readonly destroy: () => Promise<void>;
  /** What a preview would do: `<operation> <type> <name>`, sorted; nothing for what stays. */
  readonly preview: (settings?: SmokeSettings) => Promise<readonly string[]>;
  /** Runs `talosctl` or `kubectl` with the cluster's own access. */
  readonly command: (program: "talosctl" | "kubectl", ...args: string[]) => Promise<string>;
  /** Ids of the machines that AWS has of this stack. */
  readonly instances: () => Promise<readonly string[]>;
  /** Names and ids of all that AWS has of this stack, by its tags and names. */
  readonly leftovers: () => Promise<readonly string[]>;
}

/** One thing that is tried on a real account. */
export interface SmokeStep {
  readonly title: string;
  /** What is done, in a sentence. */
  readonly done: string;
  /** What has to be seen. */
  readonly expected: string;
  /**
   * Does it.
   *
   * @returns what was seen
   * @throws Error when that isn't what is expected
   */
  readonly run: (world: SmokeWorld) => Promise<string>;
}

/** A step with what came of it. */
export interface SmokeResult {
  readonly title: string;
  readonly done: string;
  readonly expected: string;
  readonly seen: string;
  readonly outcome: "ok" | "failed" | "not run";
  readonly durationMs: number;
}
