import type { AddOnPods, PodToleration, ReplicatedAddOnPods } from "./addOnPodsArgs";
import type { AddOnScope } from "./addOnScope";

/** Flags of a program by their names, without dashes. */
export type Flags = Readonly<Record<string, string | readonly string[]>>;

/** The IAM role that an add-on's pods assume with a token of their service account. */
export interface PodIdentity {
  readonly roleArn: string;
}

/** The settings of an add-on's pod that calls AWS. */
export interface ControlPlanePod {
  readonly serviceAccountName: string;
  readonly containers: readonly Container[];
  readonly volumes?: readonly object[];
  readonly securityContext?: object;
  readonly tolerations?: readonly PodToleration[];
  readonly priorityClassName?: string;
}

/** A container, with the fields of Kubernetes. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly object[];
  readonly volumeMounts?: readonly object[];
  readonly [field: string]: unknown;
}

/** A variable of a container with a field of its pod. */
export function fromField(name: string, fieldPath: string): object {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** A volume of a pod with a file or folder of its machine. */
export function fromHost(name: string, path: string, type?: string): object {
  return { name, hostPath: { path, ...(type !== undefined && { type }) } };
}

/** The label and the taint of control planes. */
export const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

/** Places pods on control planes, also before the cloud controller has initialised their nodes. */
export const CONTROL_PLANE_PLACE = {
  nodeSelector: { [CONTROL_PLANE]: "" },
  tolerations: [
    { key: CONTROL_PLANE, operator: "Exists", effect: "NoSchedule" },
    {
      key: "node.cloudprovider.kubernetes.io/uninitialized",
      operator: "Exists",
      effect: "NoSchedule",
    },
  ],
  priorityClassName: "system-cluster-critical",
};

const TOKEN_FOLDER = "/var/run/secrets/eks.amazonaws.com/serviceaccount";

/** The security context of a container without any privilege. */
export const CONFINED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

/** The security context of a pod that runs as the user `nobody`. */
export const AS_NOBODY = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  runAsGroup: 65_532,
  fsGroup: 65_532,
  seccompProfile: { type: "RuntimeDefault" },
};

/**
 * A container's arguments: the add-on's flags in their order, with the user's flags in place of
 * those of the same name.
 */
export function argumentsOf(flags: Flags, { extraArgs = {} }: AddOnPods): string[] {
  return Object.entries({ ...flags, ...extraArgs }).flatMap(([name, values]) =>
    [values].flat().map((value) => `--${name}=${value}`),
  );
}

/**
 * The spec of a pod on a control plane machine, in the host network. The metadata service answers
 * there with any hop limit. The pod uses its machine's DNS, because the cluster's DNS may need the
 * add-on first.
 *
 * @param identity the role that it assumes. Default: its machine's role
 */
export function controlPlanePod(
  { region }: AddOnScope,
  given: AddOnPods,
  pod: ControlPlanePod,
  identity?: PodIdentity,
): object {
  const { containers, volumes = [], tolerations = [], ...rest } = pod;
  const token = { name: "aws-token", mountPath: TOKEN_FOLDER, readOnly: true };
  const environment = [
    { name: "AWS_REGION", value: region },
    ...(identity === undefined
      ? []
      : [
          { name: "AWS_ROLE_ARN", value: identity.roleArn },
          { name: "AWS_WEB_IDENTITY_TOKEN_FILE", value: `${TOKEN_FOLDER}/token` },
          { name: "AWS_STS_REGIONAL_ENDPOINTS", value: "regional" },
        ]),
  ];
  const tokens = identity === undefined ? [] : [{ name: token.name, projected: tokenSource() }];
  return {
    hostNetwork: true,
    dnsPolicy: "Default",
    ...CONTROL_PLANE_PLACE,
    tolerations: [...CONTROL_PLANE_PLACE.tolerations, ...tolerations, ...(given.tolerations ?? [])],
    ...rest,
    containers: containers.map(({ env = [], volumeMounts = [], ...container }, index) =>
      // Only the first container calls AWS; the sidecars call only Kubernetes.
      index > 0
        ? { ...container, env, volumeMounts }
        : {
            ...container,
            env: [...environment, ...env],
            volumeMounts: [...volumeMounts, ...(identity === undefined ? [] : [token])],
          },
    ),
    volumes: [...volumes, ...tokens],
  };
}

/**
 * The number of an add-on's pods. Default: upstream's default, but at most one per control plane
 * machine.
 */
export function replicasOf(
  { controlPlanes }: AddOnScope,
  { replicas }: ReplicatedAddOnPods,
  usual: number,
): number {
  return replicas ?? Math.min(usual, controlPlanes);
}

/** A volume source with a token that AWS exchanges for credentials. The kubelet renews it. */
function tokenSource(): object {
  const token = { audience: "sts.amazonaws.com", expirationSeconds: 86_400, path: "token" };
  return { sources: [{ serviceAccountToken: token }] };
}
