import { isInMinors, type Minors } from "../flags/componentTable";
import { isMapping } from "../machineConfig";
import type { Path } from "../path";
import type { DocumentView } from "./documentView";

/** A program whose additional flags are part of the configuration. */
export type FlaggedProgram =
  "apiServer" | "controllerManager" | "scheduler" | "proxy" | "etcd" | "kubelet";

/** Flags of a program, without leading dashes, and the minors of Talos (13 is v1.13) that deny them. */
export interface DeniedFlags extends Minors {
  readonly flags: readonly string[];
}

/**
 * The flags that Talos sets itself and lets nobody change, by program. Talos accepts a
 * configuration with one of them. Then the controller that renders the program's parameters fails
 * for as long as the flag is there. No static pod of any component is rendered anew after one in
 * the control plane, and none at all after a reboot.
 *
 * Sources: Talos v1.10.9, v1.11.6, v1.12.1, v1.13.9 and v1.14.1; all `MergeDenied` in
 * `controllers/k8s/{control_plane_static_pod,control_plane_final,kubelet_spec,control_plane}.go`,
 * and `denyListArgs` in `system/services/etcd.go`. A flag spelled with "_" is another flag to Talos
 * and the same one to Kubernetes: rotations of keys use that.
 */
export const deniedFlags: Readonly<Record<FlaggedProgram, readonly DeniedFlags[]>> = {
  apiServer: [
    {
      flags: [
        "etcd-servers",
        "etcd-cafile",
        "etcd-certfile",
        "etcd-keyfile",
        "client-ca-file",
        "requestheader-client-ca-file",
        "proxy-client-cert-file",
        "proxy-client-key-file",
        "encryption-provider-config",
        "kubelet-client-certificate",
        "kubelet-client-key",
        "service-account-key-file",
        "service-account-signing-key-file",
        "tls-cert-file",
        "tls-private-key-file",
        "authorization-config",
      ],
    },
    { flags: ["tls-min-version"], since: 14 },
  ],
  controllerManager: [
    {
      flags: [
        "cluster-signing-cert-file",
        "cluster-signing-key-file",
        "authentication-kubeconfig",
        "authorization-kubeconfig",
        "root-ca-file",
        "service-account-private-key-file",
      ],
    },
  ],
  scheduler: [
    {
      flags: ["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig", "config"],
    },
  ],
  proxy: [{ flags: ["kubeconfig"] }],
  etcd: [
    {
      flags: [
        "name",
        "auto-tls",
        "peer-auto-tls",
        "data-dir",
        "listen-peer-urls",
        "listen-client-urls",
        "client-cert-auth",
        "cert-file",
        "key-file",
        "trusted-ca-file",
        "peer-client-cert-auth",
        "peer-cert-file",
        "peer-key-file",
        "peer-trusted-ca-file",
      ],
    },
    {
      flags: [
        "experimental-initial-corrupt-check",
        "experimental-watch-progress-notify-interval",
        "experimental-compact-hash-check-enabled",
      ],
      until: 13,
    },
    {
      flags: [
        "listen-client-http-urls",
        "feature-gates",
        "watch-progress-notify-interval",
        "tls-min-version",
      ],
      since: 14,
    },
  ],
  kubelet: [
    {
      flags: [
        "bootstrap-kubeconfig",
        "kubeconfig",
        "container-runtime",
        "container-runtime-endpoint",
        "config",
        "cert-dir",
      ],
    },
  ],
};

/**
 * Beginnings of flags that the document KubeAPIServerConfig denies, with the document for them; the
 * longest that fits counts. Talos refuses the configuration. Source: `deniedArgPrefixes` in
 * pkg/machinery/config/types/k8s/apiserver.go, Talos v1.14.1.
 */
export const deniedFlagPrefixes: ReadonlyMap<string, string | undefined> = new Map([
  ["anonymous-auth", "KubeAuthenticationConfig"],
  ["oidc-", "KubeAuthenticationConfig"],
  ["authentication-config", "KubeAuthenticationConfig"],
  ["authorization-config", "KubeAuthorizerConfig"],
  ["authorization-mode", "KubeAuthorizerConfig"],
  ["authorization-webhook-", "KubeAuthorizerConfig"],
  // KubeAuthenticationConfig accepts all asymmetric algorithms.
  ["oidc-signing-algs", undefined],
]);

/** Reports additional flags that Talos denies in the document KubeAPIServerConfig alone. */
export function checkDeniedPrefixes(view: DocumentView): void {
  const args = view.get("extraArgs");
  for (const flag of isMapping(args) ? Object.keys(args) : []) {
    const [prefix] = [...deniedFlagPrefixes.keys()]
      .filter((start) => flag.startsWith(start))
      .sort((one, other) => other.length - one.length);
    const replacement = prefix === undefined ? undefined : deniedFlagPrefixes.get(prefix);
    if (prefix !== undefined) {
      view.report(
        ["extraArgs", flag],
        `can't be set: ${replacement === undefined ? "no document has this, leave it out" : `use the document ${replacement}`}`,
      );
    }
  }
}

/** What no longer works while a denied flag is there. */
const CONSEQUENCES: Readonly<Record<FlaggedProgram, string>> = {
  apiServer: "renders no static pod of the control plane",
  controllerManager: "renders no static pod of the control plane",
  scheduler: "renders no static pod of the control plane",
  proxy: "renders no manifests",
  etcd: "can't start etcd",
  kubelet: "can't start or change kubelet",
};

/** The flags of a program that a Talos minor (13 is v1.13) denies. */
export function deniedFlagsOf(program: FlaggedProgram, talosMinor: number): ReadonlySet<string> {
  return new Set(
    deniedFlags[program].flatMap((denied) => (isInMinors(denied, talosMinor) ? denied.flags : [])),
  );
}

/**
 * Reports additional flags of a program that the Talos that reads the configuration denies.
 *
 * @param place of its settings, with `extraArgs`
 */
export function checkDeniedFlags(view: DocumentView, program: FlaggedProgram, place: Path): void {
  const path = [...place, "extraArgs"];
  const args = view.get(...path);
  const denied = deniedFlagsOf(program, view.talosMinor);
  for (const flag of isMapping(args) ? Object.keys(args) : []) {
    if (denied.has(flag)) {
      view.report(
        [...path, flag],
        `can't be set: Talos sets this flag itself, and ${CONSEQUENCES[program]} while it is here; leave it out`,
      );
    }
  }
}
