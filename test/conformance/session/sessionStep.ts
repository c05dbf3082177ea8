import { talosMinor } from "../../../provider/config/releases/talosMinor";

/** Why a command can't be tried on the real nodes of the lab, which run in containers. */
export const absences = {
  "one control plane": "the lab's cluster has one control plane and one worker",
  kubelet: "nodes in containers run no kubelet, so neither pods nor Kubernetes",
  disks: "nodes in containers have neither disks nor META, and install nothing",
  processes: "nodes in containers show the processes, memory and mounts of their host",
  network: "the lab's network is another one than Amazon's",
  time: "the lab has no time server",
  ends: "a node in a container that is reset or shut down stays off",
  slow: "real nodes need a minute and more for it",
} as const;

/** A command of a session with talosctl, and what is to come of it. */
export interface SessionStep {
  /**
   * talosctl's arguments, separated by blanks, of which `'…'` keeps some together. `<a>`, `<b>` and
   * `<c>` stand for the addresses of control planes, `<d>` and `<e>` for those of workers.
   */
  readonly command: string;
  /** What its output matches, all of them, after `normalise`. */
  readonly expect: readonly RegExp[];
  /** It is to fail. */
  readonly fails?: true;
  /** Whose certificate it is called with; the administrator's if left out. */
  readonly as?: "reader" | "operator" | "etcd:backup";
  /** It is repeated until it does what is expected. */
  readonly until?: true;
  /** It does not end by itself: what it has printed by then counts. */
  readonly endsAfterMs?: number;
  /**
   * `same`: a real node gives the same output, but for what `normalise` takes away. `alike`: a real
   * node's output is expected to match too. Else why it is not tried on one.
   */
  readonly lab: "same" | "alike" | keyof typeof absences;
  /** What is otherwise with talosctl and machines of Talos v1.14. */
  readonly on14?: Pick<SessionStep, "expect" | "fails"> & Partial<Pick<SessionStep, "lab">>;
}

/** The steps as they are with a release. */
export function stepsOn(steps: readonly SessionStep[], talos: string): SessionStep[] {
  const isNewer = (talosMinor(talos) ?? 0) >= 14;
  return steps.map(({ on14, fails, ...step }) =>
    isNewer && on14 !== undefined
      ? { ...step, ...on14 }
      : { ...step, ...(fails !== undefined && { fails }) },
  );
}
