import { suggest } from "../../config/suggestion";
import { AUTHORITIES, ROTATION_STAGES } from "./rotation";

/** A problem of a rotation. */
interface Problem {
  /** The place within the rotation: `talosCa.stage`. */
  readonly property: string;
  readonly reason: string;
}

/**
 * Secrets that Talos can't replace while the cluster runs, and why.
 *
 * Sources: Talos v1.12.1, in `internal/app/machined/pkg/controllers`.
 * - `k8s/control_plane_static_pod.go`: extra arguments for `service-account-key-file` and
 *   `encryption-provider-config` are denied; `k8s/render_secrets_static_pod.go` writes one public
 *   key.
 * - `k8s/internal/k8stemplates`, `APIServerEncryptionConfig`: one secretbox key, which always
 *   encrypts.
 * - `secrets/root.go` and `etcd/pki.go`: one etcd CA, whose file etcd reads at its start;
 *   `pkg/system/services/etcd.go` has no restart over the API.
 * - `k8s/manifest_apply.go` creates missing objects, also the Secret of another bootstrap token,
 *   and removes none.
 * - go.etcd.io/etcd v3.6.7, `client/pkg/transport/listener.go`: the pool of trusted CAs is created
 *   with the listener.
 * - `internal/app/trustd/main.go`: trustd accepts one token; `Runtime.CanApplyImmediate`:
 *   `machine.token` reboots a machine.
 */
const refused: Readonly<Record<string, string>> = {
  etcdCa:
    "the etcd CA can't be rotated here: etcd reads the CAs that it trusts when it starts, and no change of the configuration restarts it. To replace it, create a new cluster",
  serviceAccountKey:
    "the service account key can't be rotated while the cluster runs: Talos gives API servers a single public key, so they would refuse all tokens of the old key at once. To replace it, create a new cluster",
  secretboxKey:
    "the secretbox key can't be rotated while the cluster runs: Talos gives API servers a single secretbox key, and with another one they can't read etcd's Secrets. To replace it, create a new cluster and apply the Secrets there",
  bootstrapToken:
    'the bootstrap token has no stages, as Talos makes a Secret of each in kube-system, removes none, and so accepts both. Give cluster.token another value by patches of the control plane and of the workers, run "pulumi up", and then delete the Secret bootstrap-token-<id of the old one> with kubectl',
  trustdToken:
    "the trustd token can't be rotated while the cluster runs: trustd accepts a single token, and a worker that restarts with another one gets no certificate for its Talos API. The token only allows to request a server certificate; rotate talosCa instead",
};

/** All problems of the form of a rotation. */
export function checkRotation(rotation: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(rotation).flatMap(([authority, step]): Problem[] => {
    if (step === undefined) {
      return [];
    }
    const stages = (ROTATION_STAGES as Readonly<Record<string, readonly string[]>>)[authority];
    if (stages === undefined || !Object.hasOwn(ROTATION_STAGES, authority)) {
      return [{ property: authority, reason: unknownAuthority(authority) }];
    }
    const { to, stage } = (typeof step === "object" && step !== null ? step : {}) as {
      readonly to?: unknown;
      readonly stage?: unknown;
    };
    const problems: Problem[] = [];
    if (!(typeof to === "number" && Number.isSafeInteger(to) && to >= 2)) {
      const reason = `${JSON.stringify(to)} is not a generation: give a whole number, 2 for the first rotation, one more for each further one`;
      problems.push({ property: `${authority}.to`, reason });
    }
    if (!(typeof stage === "string" && stages.includes(stage))) {
      const reason = `${JSON.stringify(stage)} is not a stage: use ${stages.join(", ")}, one "up" for each`;
      problems.push({ property: `${authority}.stage`, reason });
    }
    return problems;
  });
}

function unknownAuthority(name: string): string {
  if (Object.hasOwn(refused, name)) {
    return refused[name] ?? "";
  }
  const near = suggest(name, [...AUTHORITIES, ...Object.keys(refused)]);
  const hint = near === undefined ? "" : `, did you mean "${near}"`;
  return `there is no "${name}"${hint}: you can rotate ${AUTHORITIES.join(" and ")}`;
}
