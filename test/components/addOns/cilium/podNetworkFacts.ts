import type { KubernetesObject } from "../../../../provider/kubernetes";

/** What objects of Cilium say, in a form without order and without text of their author. */
export interface PodNetworkFacts {
  /** The kind and the name of each object, but of those that `rights` are. */
  readonly objects: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** What each service account may do: verb, group/resource and name, by account and namespace. */
  readonly rights: Readonly<Record<string, readonly string[]>>;
  /** The containers by their names. */
  readonly containers: Readonly<Record<string, ContainerFacts>>;
  /** The paths of machines that pods have, and of which kind they must be, by workload. */
  readonly hostPaths: Readonly<Record<string, readonly string[]>>;
}

/** What a container may do, and where it is asked. */
export interface ContainerFacts {
  readonly image: string;
  readonly command: readonly string[];
  readonly capabilities: readonly string[];
  readonly isPrivileged: boolean;
  readonly ports: readonly number[];
  readonly environment: readonly string[];
  readonly mounts: readonly string[];
  /** The number or the name of a port, and how often it is asked, by probe. */
  readonly probes: Readonly<Record<string, string>>;
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Probe {
  readonly httpGet: { readonly port: number | string };
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly securityContext?: {
    readonly privileged?: boolean;
    readonly capabilities?: { readonly add?: readonly string[] };
  };
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts?: readonly {
    readonly mountPath: string;
    readonly mountPropagation?: string;
    readonly readOnly?: boolean;
  }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Fields {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly name: string }[];
  readonly spec?: {
    readonly template?: {
      readonly spec: {
        readonly initContainers?: readonly Container[];
        readonly containers: readonly Container[];
        readonly volumes: readonly {
          readonly hostPath?: { readonly path: string; readonly type?: string };
        }[];
      };
    };
  };
}

/** The facts of Cilium's objects. */
export function podNetworkFacts(given: readonly KubernetesObject[]): PodNetworkFacts {
  const objects = given as unknown as readonly Fields[];
  const pods = objects.flatMap(({ metadata, spec }) =>
    spec?.template === undefined ? [] : [[metadata.name, spec.template.spec] as const],
  );
  const containers = pods.flatMap(([, { initContainers = [], containers: main }]) => [
    ...initContainers,
    ...main,
  ]);
  return {
    objects: objects
      .filter(({ kind }) => !/Role|Binding$/.test(kind))
      .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      .sort(),
    settings: sorted(objects.find(({ kind }) => kind === "ConfigMap")?.data ?? {}),
    rights: rightsOf(objects),
    containers: Object.fromEntries(containers.map((each) => [each.name, factsOf(each)])),
    hostPaths: Object.fromEntries(
      pods.map(([name, { volumes }]) => [
        name,
        volumes
          .flatMap(({ hostPath }) =>
            hostPath === undefined ? [] : [`${hostPath.path} ${hostPath.type ?? ""}`.trim()],
          )
          .sort(),
      ]),
    ),
  };
}

function rightsOf(objects: readonly Fields[]): Record<string, string[]> {
  const rights = new Map<string, Set<string>>();
  for (const { roleRef, subjects = [], metadata } of objects) {
    const role = objects.find(
      ({ kind, metadata: of }) =>
        kind === roleRef?.kind &&
        of.name === roleRef.name &&
        (of.namespace ?? "") === (roleRef.kind === "Role" ? metadata.namespace : ""),
    );
    for (const { name } of subjects) {
      const key = `${name} in ${metadata.namespace ?? "all namespaces"}`;
      const known = rights.get(key) ?? new Set();
      (role?.rules ?? []).flatMap(expand).forEach((right) => known.add(right));
      rights.set(key, known);
    }
  }
  return Object.fromEntries([...rights].sort().map(([key, known]) => [key, [...known].sort()]));
}

function expand({ apiGroups, resources, resourceNames = [""], verbs }: Rule): string[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        resourceNames.map((name) => `${verb} ${group}/${resource} ${name}`.trim()),
      ),
    ),
  );
}

function factsOf(container: Container): ContainerFacts {
  const { securityContext = {}, ports = [], env = [], volumeMounts = [] } = container;
  const { startupProbe, livenessProbe, readinessProbe } = container;
  return {
    image: container.image,
    // Scripts are their author's text.
    command: (container.command ?? []).filter((each) => !each.includes("\n")),
    capabilities: [...(securityContext.capabilities?.add ?? [])].sort(),
    isPrivileged: securityContext.privileged === true,
    ports: ports.map(({ containerPort }) => containerPort).sort(),
    environment: env.map(({ name, value = "" }) => `${name} ${value}`.trim()).sort(),
    mounts: volumeMounts
      .map(({ mountPath, mountPropagation = "", readOnly = false }) =>
        [mountPath, mountPropagation, readOnly ? "readOnly" : ""].filter(Boolean).join(" "),
      )
      .sort(),
    probes: Object.fromEntries(
      Object.entries({ startupProbe, livenessProbe, readinessProbe }).flatMap(([name, probe]) =>
        probe === undefined
          ? []
          : [[name, `${probe.periodSeconds} s, ${probe.failureThreshold ?? 3} times`] as const],
      ),
    ),
  };
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
