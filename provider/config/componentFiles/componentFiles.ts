import { isKnownMinor, minorOfImage } from "../flags/componentTable";
import {
  type ConfigDocument,
  documentId,
  isMapping,
  textAt,
  type YamlValue,
} from "../machineConfig";
import type { Path } from "../path";
import { flagName } from "../releases/removedInKubernetes";
import { valueAt } from "../secrets/quote";
import { fileOfFlag } from "./fileOfFlag";

/** The Kubernetes minor whose types each minor of Talos has. Source: its go.mod. */
const TYPES_OF_TALOS: ReadonlyMap<number, number> = new Map([
  [10, 33],
  [11, 34],
  [12, 35],
  [13, 36],
  [14, 37],
]);

/** The newest of them. */
const NEWEST_TYPES = Math.max(...TYPES_OF_TALOS.values());

/** A configuration file of a component of a control plane. */
export interface ComponentFile {
  readonly program: "scheduler" | "apiServer";
  readonly kind: "scheduler" | "audit" | "authorization" | "authentication" | "admission";
  /** The admission plugin whose part of the file it is. Default: none. */
  readonly plugin?: string;
  /** Of the component: 35 is v1.35. */
  readonly minor: number;
  readonly talosMinor: number;
  /** The Kubernetes minor whose types Talos has. */
  readonly talosTypes: number;
  /** What Talos is told to write. */
  readonly content: YamlValue;
  /**
   * The path in the component of a file that is written as it is, by `machine.files`. Default: Talos writes it
   * itself, for the component.
   */
  readonly asItIs?: string;
  /** Additional flags of the component. */
  readonly flags: ConfigDocument;
  /** Whether the component is Kubernetes' own, by its image. */
  readonly isUpstream: boolean;
  /**
   * Where a value of the file stands in the configuration; undefined for one that Talos adds. In a file that is
   * written as it is, all of it is one text.
   */
  readonly locate: (path: Path) => { readonly document: string; readonly path: Path } | undefined;
}

/**
 * The files that Talos writes for components, of a control plane machine's documents; and the API server's
 * authenticators where a flag names a file of `machine.files`.
 *
 * Sources: talos v1.12.1, v1.13.9 and v1.14.1, `k8s/control_plane.go`, `k8s/control_plane_final.go` and
 * `k8s/render_config_static_pods.go`.
 */
export function componentFiles(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): ComponentFile[] {
  const config = documents.find((document) => documentId(document) === "v1alpha1");
  return textAt(config?.machine, "type") === "controlplane"
    ? new Files(documents, config ?? {}, talosMinor).all()
    : [];
}

class Files {
  constructor(
    private readonly documents: readonly ConfigDocument[],
    private readonly config: ConfigDocument,
    private readonly talosMinor: number,
  ) {}

  all(): ComponentFile[] {
    return [
      ...this.scheduler(),
      ...this.single("audit", "auditPolicy", "KubeAuditPolicyConfig", "audit-policy-file"),
      ...this.single("authentication", undefined, "KubeAuthenticationConfig"),
      ...this.ownAuthentication(),
      ...this.admission(),
      ...this.authorization(),
    ];
  }

  private scheduler(): ComponentFile[] {
    const [document] = this.of("KubeSchedulerConfig");
    const isOff =
      document === undefined
        ? valueAt(this.config, ["machine", "controlPlane", "scheduler", "disabled"]) === true
        : document.enabled === false;
    const place = document === undefined ? ["cluster", "scheduler"] : [];
    const owner = document ?? this.config;
    const content = valueAt(owner, [...place, "config"]);
    return isOff || !isFilled(content)
      ? []
      : [
          {
            ...this.component("scheduler", valueAt(owner, place)),
            kind: "scheduler",
            content,
            locate: within(owner, [...place, "config"]),
          },
        ];
  }

  /** A file that is one value. Without a value, Talos writes its own. */
  private single(
    kind: "audit" | "authentication",
    key: string | undefined,
    documentKind: string,
    flag?: string,
  ): ComponentFile[] {
    const [document] = this.of(documentKind);
    const owner = document ?? this.config;
    const path =
      document !== undefined
        ? ["configuration"]
        : key === undefined
          ? undefined
          : ["cluster", "apiServer", key];
    const content = path === undefined ? undefined : valueAt(owner, path);
    const component = this.apiServer();
    return path === undefined || !isFilled(content) || (flag !== undefined && has(component, flag))
      ? []
      : [{ ...component, kind, content, locate: within(owner, path) }];
  }

  /** Talos denies the flag beside its document. */
  private ownAuthentication(): ComponentFile[] {
    const component = this.apiServer();
    const found = fileOfFlag(this.config, component.flags, "authentication-config");
    return found === undefined || this.of("KubeAuthenticationConfig").length > 0
      ? []
      : [
          {
            ...component,
            kind: "authentication",
            content: found.content,
            asItIs: found.file,
            locate: () => ({ document: "v1alpha1", path: found.place }),
          },
        ];
  }

  private admission(): ComponentFile[] {
    const component = this.apiServer();
    const list = valueAt(this.config, ["cluster", "apiServer", "admissionControl"]);
    const entries = [
      ...(Array.isArray(list) ? list : []).map((entry, index) => ({
        entry,
        owner: this.config,
        path: ["cluster", "apiServer", "admissionControl", index, "configuration"],
      })),
      ...this.of("KubeAdmissionControlConfig").map((owner) => ({
        entry: owner,
        owner,
        path: ["configuration"],
      })),
    ];
    return has(component, "admission-control-config-file")
      ? []
      : entries.flatMap(({ entry, owner, path }) => {
          const content = valueAt(entry, ["configuration"]) ?? null;
          const plugin = textAt(entry, "name") ?? "";
          return content === null
            ? []
            : [
                {
                  ...component,
                  ...({ kind: "admission", plugin, content, locate: within(owner, path) } as const),
                },
              ];
        });
  }

  /** Talos adds the authorizers Node and RBAC where they are missing, unless they are documents. */
  private authorization(): ComponentFile[] {
    const component = this.apiServer();
    const list = valueAt(this.config, ["cluster", "apiServer", "authorizationConfig"]);
    const documents = this.of("KubeAuthorizerConfig");
    const given = [
      ...(Array.isArray(list) ? list : []).map((authorizer, index) => ({
        authorizer,
        locate: within(this.config, ["cluster", "apiServer", "authorizationConfig", index]),
      })),
      ...documents.map((document) => ({ authorizer: document, locate: within(document, []) })),
    ];
    const isFlagged = Object.keys(component.flags).some((flag) =>
      /^authorization-(?:mode$|webhook-)/.test(flagName(flag)),
    );
    if (given.length === 0 || isFlagged || component.minor < FIRST_AUTHORIZATION_FILE) {
      return [];
    }
    const own = (["Node", "RBAC"] as const).filter(
      (type) =>
        documents.length === 0 &&
        !given.some(({ authorizer }) => textAt(authorizer, "type") === type),
    );
    const added = own.map((type) => ({
      authorizer: { type, name: type.toLowerCase() },
      locate: () => undefined,
    }));
    // RBAC comes second.
    const all =
      own[0] === "RBAC"
        ? [...given.slice(0, 1), ...added, ...given.slice(1)]
        : [...added, ...given];
    return [
      {
        ...component,
        kind: "authorization",
        content: { authorizers: all.map(({ authorizer }) => partsOf(authorizer)) },
        locate: ([, index, ...path]) => all[Number(index)]?.locate(path),
      },
    ];
  }

  private apiServer() {
    const [document] = this.of("KubeAPIServerConfig");
    return this.component("apiServer", document ?? valueAt(this.config, ["cluster", "apiServer"]));
  }

  private component(program: "scheduler" | "apiServer", settings: YamlValue | undefined) {
    const parts = isMapping(settings) ? settings : {};
    const image = textAt(parts, "image");
    const talosTypes = TYPES_OF_TALOS.get(this.talosMinor) ?? NEWEST_TYPES;
    const minor = minorOfImage(image);
    return {
      program,
      talosTypes,
      minor: isKnownMinor(minor) ? minor : talosTypes,
      talosMinor: this.talosMinor,
      flags: isMapping(parts.extraArgs) ? parts.extraArgs : {},
      isUpstream: image === undefined || /\/kube-(?:scheduler|apiserver):/.test(image),
    };
  }

  private of(kind: string): readonly ConfigDocument[] {
    return this.documents.filter((document) => textAt(document, "kind") === kind);
  }
}

/** The first Kubernetes minor to which Talos gives a file with authorizers. */
const FIRST_AUTHORIZATION_FILE = 29;

function within(document: ConfigDocument, place: Path) {
  return (path: Path) => ({ document: documentId(document), path: [...place, ...path] });
}

function has({ flags }: { readonly flags: ConfigDocument }, flag: string): boolean {
  return Object.keys(flags).some((key) => flagName(key) === flag);
}

function isFilled(value: YamlValue | undefined): value is ConfigDocument {
  return isMapping(value) && Object.keys(value).length > 0;
}

/** What Talos writes of an authorizer. An empty webhook counts as none. */
function partsOf(authorizer: YamlValue): ConfigDocument {
  const { name, type, webhook } = isMapping(authorizer) ? authorizer : {};
  return {
    ...(name !== undefined && { name }),
    ...(type !== undefined && { type }),
    ...(isFilled(webhook) && { webhook }),
  };
}
