import type { ParameterValue } from "../../../emulator/talos/faults/faultKind";
import type { FaultKind } from "../../../emulator/talos/faults/faultKinds";
import type { OperationName } from "./operations";

/**
 * What a run does while the fault is there: it succeeds, or it ends in an error that matches. Lifted,
 * the next run always succeeds, but for `restartsUnproven`.
 */
export type Outcome = "succeeds" | RegExp;

/** A fault with what each operation makes of it. */
export interface MatrixRow {
  readonly kind: FaultKind;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly outcomes: Readonly<Record<OperationName, Outcome>>;
  /** The operation whose waits take the computer's own time. */
  readonly realTime: OperationName;
  /** Until a run gives up that can't succeed, in seconds. Default: enough for it to see why. */
  readonly deadline?: number;
  /**
   * The operation after which the machine waits for a configuration that it was sent before, with
   * another certificate. Nobody gets it then until a person gives the fingerprint.
   */
  readonly restartsUnproven?: OperationName;
}

const everywhere = (outcome: Outcome): MatrixRow["outcomes"] => ({
  firstContact: outcome,
  applyFirst: outcome,
  applyUpdate: outcome,
  bootstrap: outcome,
  kubeconfig: outcome,
  health: outcome,
  reset: outcome,
});

/** In maintenance mode, a machine's certificate proves nothing but its key. */
const onceConfigured = (outcome: Outcome): MatrixRow["outcomes"] => ({
  ...everywhere(outcome),
  firstContact: "succeeds",
});

const closed = /nothing listens there \(connection refused\): it is starting, restarting/;
const silent = /last seen: .*(no answer|did not answer|in silence|not complete)/;
const foreign = /was not issued by the CA of this cluster/;
const wrongTime = /is only valid from .* set the clock right/;

/** Every fault against every operation. */
export const matrix: readonly MatrixRow[] = [
  { kind: "refuse", realTime: "kubeconfig", outcomes: everywhere(closed) },
  // Its cells take real time, as nothing but a deadline ends a call without an answer.
  { kind: "drop", realTime: "health", deadline: 3, outcomes: everywhere(silent) },
  {
    kind: "delay",
    realTime: "health",
    parameters: { latencyMs: 60 },
    outcomes: everywhere("succeeds"),
  },
  { kind: "resetMidCall", realTime: "applyUpdate", outcomes: everywhere("succeeds") },
  { kind: "imposter", realTime: "applyFirst", outcomes: everywhere(foreign) },
  { kind: "powerLoss", realTime: "reset", outcomes: everywhere(closed) },
  { kind: "reboot", realTime: "applyUpdate", outcomes: everywhere("succeeds") },
  { kind: "rebootDuringApply", realTime: "applyUpdate", outcomes: everywhere("succeeds") },
  {
    kind: "rebootDuringApply",
    realTime: "applyFirst",
    parameters: { kept: false },
    outcomes: {
      ...everywhere("succeeds"),
      applyFirst: /first configuration was sent before.* Nothing was sent/,
    },
    restartsUnproven: "applyFirst",
  },
  {
    kind: "diskFull",
    realTime: "health",
    outcomes: {
      firstContact: "succeeds",
      applyFirst: /to run its configuration .* maintenance mode/,
      applyUpdate:
        /to be healthy with its configuration .* its disk is full: 0 MiB of .* at \/var are free/,
      bootstrap:
        /bootstrapped, etcd has not started yet: its disk is full: 0 MiB of .* at \/var are free/,
      kubeconfig: /Kubernetes API answers 500: etcdserver/,
      health: /etcd is not healthy: .*space exceeded/,
      reset: "succeeds",
    },
    restartsUnproven: "applyFirst",
  },
  {
    kind: "slowEtcd",
    realTime: "health",
    parameters: { delayMs: 300 },
    outcomes: everywhere("succeeds"),
  },
  {
    kind: "stuckEtcd",
    realTime: "kubeconfig",
    outcomes: {
      ...everywhere("succeeds"),
      applyUpdate: /to be healthy with its configuration .* etcd is not healthy/,
      bootstrap: /bootstrapped, etcd has not started yet/,
      kubeconfig: /Kubernetes API answers 500: etcdserver/,
      health: /etcd is not healthy: context deadline exceeded/,
    },
  },
  {
    kind: "lostBootstrap",
    realTime: "bootstrap",
    outcomes: {
      ...everywhere("succeeds"),
      bootstrap: /bootstrapped, etcd has not started yet/,
    },
  },
  {
    kind: "lostBootstrap",
    realTime: "bootstrap",
    parameters: { reboots: true },
    outcomes: everywhere("succeeds"),
  },
  { kind: "lostBootstrapAnswer", realTime: "bootstrap", outcomes: everywhere("succeeds") },
  { kind: "expiredCertificate", realTime: "kubeconfig", outcomes: onceConfigured(wrongTime) },
  { kind: "foreignCertificates", realTime: "reset", outcomes: onceConfigured(foreign) },
  { kind: "clockSkew", realTime: "kubeconfig", outcomes: onceConfigured(wrongTime) },
  {
    kind: "clockSkew",
    realTime: "applyUpdate",
    parameters: { byMs: -172_800_000 },
    outcomes: onceConfigured(wrongTime),
  },
];
