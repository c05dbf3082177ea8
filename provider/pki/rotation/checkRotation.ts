import { suggest } from "../../config/suggestion";
import { AUTHORITIES, ROTATION_STAGES } from "./rotation";

/** One thing wrong with a rotation. */
interface Problem {
  /** Within the rotation: `talosCa.stage`. */
  readonly property: string;
  readonly reason: string;
}

/**
 * What Talos can't exchange while the cluster serves, and why.
 *
 * Sources: Talos v1.12.1, in `internal/app/machined/pkg/controllers`.
 * - `k8s/control_plane_static_pod.go`: extra arguments for `service-account-key-file` and
 *   `encryption-provider-config` are denied; `k8s/render_secrets_static_pod.go` writes one public key.
 * - `k8s/internal/k8stemplates`, `APIServerEncryptionConfig`: one secretbox key, always the first to write with.
 * - `secrets/root.go` and `etcd/pki.go`: one etcd CA, whose file etcd reads when it starts;
 *   `pkg/system/services/etcd.go` has no restart over the API.
 * - `k8s/manifest_apply.go` creates what is missing, the Secret of another bootstrap token too, and removes nothing.
 * - go.etcd.io/etcd v3.6.7, `client/pkg/transport/listener.go`: the pool of trusted CAs is made with the listener.
 * - `internal/app/trustd/main.go`: trustd takes one token; `Runtime.CanApplyImmediate`: `machine.token` reboots a machine.
 */
const refused: Readonly<Record<string, string>> = {
  etcdCa:
    "the etcd CA can't be rotated here: etcd reads the CAs that it trusts when it starts, and no change of the configuration restarts it. It stays as it was made; another one needs a new cluster",
  serviceAccountKey:
    "the service account key can't be rotated while the cluster serves: Talos gives API servers one public key and no way to name another, so they would refuse every token of the old key at once. It stays as it was made; another one needs a new cluster",
  secretboxKey:
    "the secretbox key can't be rotated while the cluster serves: Talos gives API servers one secretbox key, and with another they can't read the Secrets that etcd holds. It stays as it was made; another one needs a new cluster, into which the Secrets are applied anew",
  bootstrapToken:
    'the bootstrap token has no stages, as Talos makes a Secret of each in kube-system, removes none, and so accepts both. Give cluster.token another value by patches of the control plane and of the workers, run "pulumi up", and then delete the Secret bootstrap-token-<id of the old one> with kubectl',
  trustdToken:
    "the trustd token can't be rotated while the cluster serves: trustd accepts one token alone, and a worker that restarts with the other one gets no certificate for its Talos API. It lets a machine ask for a server certificate and nothing else; rotate talosCa instead",
};

/** All that is wrong with the shape of a rotation. */
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
      const reason = `${JSON.stringify(to)} is no generation to go to: give a whole number, 2 for the first rotation, one more for each after it`;
      problems.push({ property: `${authority}.to`, reason });
    }
    if (!(typeof stage === "string" && stages.includes(stage))) {
      const reason = `${JSON.stringify(stage)} is none of its stages: they are ${stages.join(", ")}, one "up" for each`;
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
  return `there is no "${name}"${hint}: what can be rotated is ${AUTHORITIES.join(" and ")}`;
}
