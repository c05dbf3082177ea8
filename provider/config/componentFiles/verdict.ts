import { judgeAdmission } from "./admissionVerdict";
import { auditErrors } from "./auditErrors";
import { authenticationErrors } from "./authenticationErrors";
import { authorizationErrors } from "./authorizationErrors";
import type { ComponentFile } from "./componentFiles";
import { decodeErrors, wordsOfDecoding } from "./decodeErrors";
import { type FieldError, FileView } from "./fieldErrors";
import { kindsAt } from "./fileTypes";
import { kindError, kindOf } from "./kindErrors";
import { judgeScheduler } from "./schedulerVerdict";
import {
  droppedBy,
  fieldWords,
  FINE,
  strictWords,
  typeWords,
  unknownIn,
  type Verdict,
  without,
} from "./verdictParts";

/** Judges a file as Talos, and then the component, would. */
export function judgeFile(file: ComponentFile): Verdict {
  return JUDGES[file.kind](file);
}

const JUDGES: Readonly<Record<ComponentFile["kind"], (file: ComponentFile) => Verdict>> = {
  scheduler: judgeScheduler,
  audit: judgeAudit,
  authorization: judgeAuthorization,
  authentication: (file) =>
    file.asItIs === undefined
      ? judgeAuthentication(file)
      : judgeOwnAuthentication(file, file.asItIs),
  admission: judgeAdmission,
};

/** Where Talos writes the files of the API server. */
const FOLDER = "/system/config/kubernetes/kube-apiserver";

function judgeAudit(file: ComponentFile): Verdict {
  const { content, minor, talosTypes } = file;
  // Talos itself refuses unknown fields.
  const unwritable = decodeErrors(content, "audit/v1.Policy", talosTypes);
  const kind = kindError(content, ["audit.k8s.io/v1 Policy"], kindsAt(minor));
  const invalid = auditErrors(content, minor);
  const empty: FieldError[] = new FileView(content, minor).isFilled("rules")
    ? []
    : [{ kind: "required", path: ["rules"], detail: "without rules, nothing would be logged" }];
  const told =
    kind !== undefined
      ? kind.words.startsWith("Object ")
        ? "unknown group version field audit.k8s.io/__internal, Kind=Policy in policy"
        : `failed decoding: ${kind.words}`
      : (fieldWords(invalid) ??
        (empty.length > 0 ? "loaded illegal policy with 0 rules" : undefined));
  return {
    ...FINE,
    unwritable,
    refused: [...(kind === undefined ? [] : [kind]), ...invalid, ...empty],
    words:
      told === undefined
        ? undefined
        : `loading audit policy file: ${told}: from file ${FOLDER}/auditpolicy.yaml`,
  };
}

/** Talos writes what its own types know of a webhook. */
function judgeAuthorization(file: ComponentFile): Verdict {
  const { talosTypes, talosMinor, minor } = file;
  const type = "apiserver/v1.AuthorizationConfiguration";
  const forTalos = decodeErrors(file.content, type, talosTypes);
  const dropped = unknownIn(forTalos);
  const content = without(file.content, dropped);
  const unknown = unknownIn(decodeErrors(content, authorizationType(minor), minor));
  const invalid = authorizationErrors(content, minor);
  const told = strictWords(unknown.map(wordsOfDecoding));
  return {
    unwritable: forTalos.filter(({ kind }) => kind === "type"),
    refused: [...unknown, ...invalid],
    unread: dropped.map(({ path }) => droppedBy(talosMinor, path)),
    words:
      told === undefined
        ? fieldWords(invalid)
        : `failed to load AuthorizationConfiguration from file: ${told}`,
  };
}

/** Source: `KubeAPIServerAuthorizationConfigAPIVersion` of siderolabs/go-kubernetes. */
function authorizationType(minor: number): string {
  const version = minor >= 32 ? "v1" : minor >= 30 ? "v1beta1" : "v1alpha1";
  return `apiserver/${version}.AuthorizationConfiguration`;
}

/** Talos v1.14 sets version and kind, and writes the rest as it stands. */
function judgeAuthentication(file: ComponentFile): Verdict {
  const { content, minor, talosTypes } = file;
  const type = "apiserver/v1beta1.AuthenticationConfiguration";
  const forTalos = decodeErrors(content, type, talosTypes);
  const unknown = unknownIn(decodeErrors(content, type, minor));
  const invalid = authenticationErrors(content, minor);
  const strict = strictWords(unknown.map(wordsOfDecoding));
  return {
    ...FINE,
    unwritable: forTalos.filter(({ kind }) => kind === "type"),
    refused: [...unknown, ...invalid],
    words: authenticationWords(`${FOLDER}/authentication-config.yaml`, strict, invalid),
  };
}

/** The versions of the file that Kubernetes has had. */
const AUTHENTICATION_KINDS = ["v1", "v1beta1", "v1alpha1"].map(
  (version) => `apiserver.config.k8s.io/${version} AuthenticationConfiguration`,
);

/**
 * Only the API server reads such a file, in the version that it says. Source: Kubernetes v1.35,
 * `kubeapiserver/options/authentication.go`, `loadAuthenticationConfig`.
 */
function judgeOwnAuthentication({ content, minor }: ComponentFile, path: string): Verdict {
  const kinds = kindsAt(minor);
  const kind = kindError(content, AUTHENTICATION_KINDS, kinds);
  const type = kinds.get(kindOf(content)) ?? "";
  const decoding = kind === undefined ? decodeErrors(content, type, minor) : [];
  const fields = kind === undefined ? authenticationErrors(content, minor) : [];
  const unread =
    kind?.words ?? typeWords(decoding) ?? strictWords(unknownIn(decoding).map(wordsOfDecoding));
  return {
    ...FINE,
    refused: [...(kind === undefined ? [] : [kind]), ...decoding, ...fields],
    words: authenticationWords(path, unread, fields),
  };
}

function authenticationWords(
  path: string,
  unread: string | undefined,
  invalid: readonly FieldError[],
): string | undefined {
  const told = fieldWords(invalid);
  return unread !== undefined
    ? `failed to load authentication configuration from file ${JSON.stringify(path)}: ${unread}`
    : told && `invalid authentication configuration: ${told}`;
}
