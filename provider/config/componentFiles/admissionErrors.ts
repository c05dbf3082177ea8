import type { YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { formatDuration } from "../schema/duration";
import { aggregate, FileView, wordsOfField, type FieldError } from "./fieldErrors";
import { checkLabel, checkSubdomain } from "./kubernetesNames";

/** The configuration of an admission plugin. */
export interface AdmissionFile {
  /** Its kinds, by API version and kind. Empty: it has none, and `unversionedTypes` has its type. */
  readonly kinds: readonly string[];
  /** The first minor whose plugin refuses unknown fields. Default: it ignores them. */
  readonly strictSince?: number;
  /** The first minor whose plugin reads it. Default: all. */
  readonly since?: number;
  /** Whether the API server runs the plugin without being told. */
  readonly isOn: boolean;
  /** Whether the plugin starts with values of other types. Default: false. */
  readonly isForgiving?: boolean;
  /** Default: it takes all that it can read. */
  readonly check?: (view: FileView) => void;
  /** What the API server prints about errors. Default: an aggregate of them */
  readonly words?: (errors: readonly FieldError[]) => string;
}

const WEBHOOKS: AdmissionFile = {
  kinds: [
    "apiserver.config.k8s.io/v1 WebhookAdmissionConfiguration",
    "apiserver.config.k8s.io/v1alpha1 WebhookAdmission",
  ],
  strictSince: 36,
  isOn: true,
  check: (view) => {
    const file = view.text("kubeConfigFile");
    // Since v1.36, webhooks can come from manifests alone.
    const isMissing = file === "" && view.minor < 36;
    if (isMissing || (file !== "" && !file.startsWith("/"))) {
      view.invalid(["kubeConfigFile"], "must be an absolute file path", file);
    }
  },
};

/**
 * The plugins that have a configuration, by name; others ignore it.
 *
 * Sources: Kubernetes v1.28.15 to v1.37.2, plugin/pkg/admission; k8s.io/apiserver, pkg/admission/plugin;
 * k8s.io/pod-security-admission, admission/api.
 */
export const admissionFiles: ReadonlyMap<string, AdmissionFile> = new Map(
  Object.entries<AdmissionFile>({
    PodSecurity: {
      kinds: ["v1", "v1beta1", "v1alpha1"].map(
        (version) => `pod-security.admission.config.k8s.io/${version} PodSecurityConfiguration`,
      ),
      strictSince: 0,
      isOn: true,
      check: checkPodSecurity,
      words: podSecurityWords,
    },
    EventRateLimit: {
      kinds: ["eventratelimit.admission.k8s.io/v1alpha1 Configuration"],
      isOn: false,
      check: checkRateLimits,
    },
    ResourceQuota: {
      kinds: [
        "apiserver.config.k8s.io/v1 ResourceQuotaConfiguration",
        "resourcequota.admission.k8s.io/v1beta1 Configuration",
        "resourcequota.admission.k8s.io/v1alpha1 Configuration",
      ],
      strictSince: 32,
      isOn: true,
      check: (view) => {
        for (const resource of view.items("limitedResources")) {
          if (view.text(...resource, "resource") === "") {
            view.required([...resource, "resource"]);
          }
        }
      },
    },
    ValidatingAdmissionWebhook: WEBHOOKS,
    MutatingAdmissionWebhook: WEBHOOKS,
    ValidatingAdmissionPolicy: policyFile("ValidatingAdmissionPolicy"),
    MutatingAdmissionPolicy: policyFile("MutatingAdmissionPolicy"),
    PodTolerationRestriction: {
      kinds: ["podtolerationrestriction.admission.k8s.io/v1alpha1 Configuration"],
      isOn: false,
    },
    PodNodeSelector: {
      kinds: [],
      isOn: false,
      // It goes on without what it can't read.
      isForgiving: true,
    },
    ImagePolicyWebhook: {
      kinds: [],
      isOn: false,
      check: checkImagePolicy,
      // It ends with the first one.
      words: ([first]) => first?.detail ?? "",
    },
  }),
);

function policyFile(plugin: string): AdmissionFile {
  return {
    kinds: [`apiserver.config.k8s.io/v1 ${plugin}Configuration`],
    strictSince: 36,
    since: 36,
    isOn: true,
  };
}

const POLICIES = ["enforce", "audit", "warn"];
const LEVELS = ["privileged", "baseline", "restricted"];

function checkPodSecurity(view: FileView): void {
  for (const mode of POLICIES) {
    const level = view.text("defaults", mode);
    if (level !== "" && !LEVELS.includes(level)) {
      view.invalid(["defaults", mode], `must be one of ${LEVELS.join(", ")}`);
    }
    const version = view.text("defaults", `${mode}-version`);
    if (version !== "" && !/^(?:latest|v1\.(?:0|[1-9]\d*))$/.test(version)) {
      view.invalid(["defaults", `${mode}-version`], 'must be "latest" or "v1.x"');
    }
  }
  checkExemptions(view, "namespaces", checkLabel);
  checkExemptions(view, "runtimeClasses", checkSubdomain);
  checkExemptions(view, "usernames", (name) => (name === "" ? ["username must not be empty"] : []));
}

function checkExemptions(
  view: FileView,
  key: string,
  check: (name: string) => readonly string[],
): void {
  const seen = new Set<string>();
  for (const path of view.items("exemptions", key)) {
    const name = view.text(...path);
    const wrong = check(name);
    if (wrong.length > 0) {
      view.invalid(path, wrong.join(", "));
    } else if (seen.has(name)) {
      view.duplicate(path);
    }
    seen.add(name);
  }
}

/** The defaults are read before all else is judged, and told in another form. */
function podSecurityWords(errors: readonly FieldError[]): string {
  const defaults = errors.filter(({ path }) => path[0] === "defaults");
  const told =
    defaults.length > 0
      ? aggregate(defaults.map(({ path, detail = "" }) => `${String(path.at(-1))}: ${detail}`))
      : aggregate(errors.map(wordsOfField));
  return `PodSecurity ${defaults.length > 0 ? "configuration error" : "invalid"}: ${told}`;
}

const LIMITS = ["Server", "Namespace", "User", "SourceAndObject"];

function checkRateLimits(view: FileView): void {
  const limits = view.items("limits");
  if (limits.length === 0) {
    view.invalid(["limits"], "must not be empty", null);
  }
  for (const limit of limits) {
    if (!LIMITS.includes(view.text(...limit, "type"))) {
      view.unsupported([...limit, "type"], LIMITS);
    }
    for (const key of ["burst", "qps"]) {
      const value = view.number(...limit, key) ?? 0;
      if (value <= 0) {
        view.invalid([...limit, key], "must be positive", value);
      }
    }
    const size = view.number(...limit, "cacheSize") ?? 0;
    if (size < 0 && view.text(...limit, "type") !== "Server") {
      view.invalid([...limit, "cacheSize"], "must not be negative");
    }
  }
}

/** Times of ImagePolicyWebhook in their unit, with their range; all in nanoseconds. */
const TIMES: readonly (readonly [key: string, unit: bigint, least: bigint, most: bigint])[] = [
  ["retryBackoff", 1_000_000n, 1n, 300_000_000_000n],
  ["allowTTL", 1_000_000_000n, 1_000_000_000n, 1_800_000_000_000n],
  ["denyTTL", 1_000_000_000n, 1_000_000_000n, 1_800_000_000_000n],
];

function checkImagePolicy(view: FileView): void {
  for (const [key, unit, least, most] of TIMES) {
    const path: Path = ["imagePolicy", key];
    const value = view.number(...path) ?? 0;
    const time = BigInt(Math.trunc(value)) * unit;
    // 0 is the default, and -1 turns it off.
    if (value !== 0 && value !== -1 && (time < least || time > most)) {
      const [from, to, got] = [least, most, time].map((each) => formatDuration(each));
      view.invalid(path, `valid value is between ${from} and ${to}, got ${got}`);
    }
  }
}

/** Whether a file has errors for which the API server doesn't start. */
export function admissionErrors(
  file: AdmissionFile,
  content: YamlValue,
  minor: number,
): FieldError[] {
  const view = new FileView(content, minor);
  file.check?.(view);
  return view.errors;
}
