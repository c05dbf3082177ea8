import { stringify } from "yaml";
import {
  authentication,
  type ChosenDefaults,
  type ConfigDocument,
  noAnonymous,
  versionContract,
} from "../../provider/config";

/** The folder of the file, on the machine and in the API server. Rotations have another one. */
export const AUTHENTICATION_FOLDER = "/var/etc/talos-aws-authentication";

/** The file that API servers read, by contracts before v1.14. */
export const AUTHENTICATION_FILE = `${AUTHENTICATION_FOLDER}/authentication.yaml`;

/** The flag of API servers that names the file. */
export const AUTHENTICATION_FLAG = "authentication-config";

/**
 * The patches that make API servers accept tokens. From contract v1.14 on it is a document, which Talos
 * writes into a file; a change restarts API servers. By older ones it is a file of the machine's: Talos up to
 * v1.13 reboots for a change of files, so machines do so one after another.
 *
 * The version `v1beta1` of the file is the one that every Kubernetes from v1.30 to v1.37 reads.
 *
 * Sources: Talos v1.14.1, `types/k8s/authentication.go`, `k8s/control_plane.go`; v1.12.1 and v1.14.1,
 * `k8s/control_plane_static_pod.go`, `k8s/control_plane_final.go` (by older contracts, the flag is free).
 *
 * @param contract name of the configuration's dialect, `v1.14`
 */
export function planAccessPatches(
  authenticators: readonly ConfigDocument[],
  contract: string,
  defaults: ChosenDefaults,
): ConfigDocument[] {
  const { kubernetesDocuments, openHealthChecks } = versionContract(contract, defaults);
  if (kubernetesDocuments) {
    // A patch replaces the whole configuration, so it says again who may ask without credentials.
    const jwt = [...authenticators];
    const configuration = { ...(openHealthChecks ? authentication : noAnonymous), jwt };
    return [{ apiVersion: "v1alpha1", kind: "KubeAuthenticationConfig", configuration }];
  }
  const content = authenticationFile(authenticators);
  return [
    {
      machine: {
        // Readable for the user of the API server. There is no secret in it.
        files: [{ content, permissions: 0o644, path: AUTHENTICATION_FILE, op: "create" }],
      },
      cluster: {
        apiServer: {
          extraArgs: { [AUTHENTICATION_FLAG]: AUTHENTICATION_FILE },
          extraVolumes: [
            { hostPath: AUTHENTICATION_FOLDER, mountPath: AUTHENTICATION_FOLDER, readonly: true },
          ],
        },
      },
    },
  ];
}

/** The content of the file, by contracts before v1.14. */
export function authenticationFile(authenticators: readonly ConfigDocument[]): string {
  return stringify(
    {
      apiVersion: "apiserver.config.k8s.io/v1beta1",
      kind: "AuthenticationConfiguration",
      jwt: [...authenticators],
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}
