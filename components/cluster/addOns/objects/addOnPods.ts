import type { AddOnPods, PodToleration, ReplicatedAddOnPods } from "../../arguments/addOnPodsArgs";
import type { AddOnScope } from "./addOnScope";

/** Flags of a program by their names, without dashes. */
export type Flags = Readonly<Record<string, string | readonly string[]>>;

/** By which role of IAM the pods of an add-on call AWS, with a token of their service account. */
export interface PodIdentity {
  readonly roleArn: string;
}

/** The pod of an add-on that calls AWS. */
export interface ControlPlanePod {
  readonly serviceAccountName: string;
  readonly containers: readonly Container[];
  readonly volumes?: readonly object[];
  readonly securityContext?: object;
  readonly tolerations?: readonly PodToleration[];
  readonly priorityClassName?: string;
}

/** A container, in the words of Kubernetes. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly object[];
  readonly volumeMounts?: readonly object[];
  readonly [field: string]: unknown;
}

const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

/** Control planes, also before the cloud controller has seen them. */
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

/** A container that has no right beyond a common process'. */
export const CONFINED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

/** A pod that runs as nobody. */
export const AS_NOBODY = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  runAsGroup: 65_532,
  fsGroup: 65_532,
  seccompProfile: { type: "RuntimeDefault" },
};

/** A container's arguments: flags in the order they are given, those of the user in place of ours. */
export function argumentsOf(flags: Flags, { extraArgs = {} }: AddOnPods): string[] {
  return Object.entries({ ...flags, ...extraArgs }).flatMap(([name, values]) =>
    [values].flat().map((value) => `--${name}=${value}`),
  );
}

/**
 * The spec of a pod on a control plane machine, in its network: the metadata service answers there whatever
 * the hop limit is. It resolves names as its machine does, as what the cluster's DNS needs may come later.
 *
 * @param identity by which it calls AWS; the role of its machine otherwise
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
      // What stands beside the first calls Kubernetes alone.
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
 * The spec of a Deployment, whose pods each need ports of a machine for themselves: so a new one takes
 * the place of an old one, as there may be no other machine.
 */
export function onControlPlanes(
  labels: Readonly<Record<string, string>>,
  replicas: number,
  pod: object,
): object {
  return {
    replicas,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: pod },
  };
}

/** How many pods an add-on on control planes has, of as many as its makers have by default. */
export function replicasOf(
  { controlPlanes }: AddOnScope,
  { replicas }: ReplicatedAddOnPods,
  usual: number,
): number {
  return replicas ?? Math.min(usual, controlPlanes);
}

/** A token that AWS takes in exchange for credentials; kubelets renew it. */
function tokenSource(): object {
  const token = { audience: "sts.amazonaws.com", expirationSeconds: 86_400, path: "token" };
  return { sources: [{ serviceAccountToken: token }] };
}
