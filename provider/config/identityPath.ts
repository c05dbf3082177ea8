import { NOT_MADE_YET } from "./effects/outline";
import type { AuthorityChanges } from "./keyPath";
import type { ConfigDocument } from "./machineConfig";
import { textIn, valueIn } from "./settings/settingIn";

const NOTHING: AuthorityChanges = { problems: [], notes: [] };

/**
 * Judges the change of the id and the secret by which machines find each other. A machine has one of
 * each. Until the last machine is changed, it is found only by those that have the same ones.
 *
 * Without KubeSpan, nothing waits for that: etcd keeps its members, the API servers are found at the
 * cluster's endpoint and in the endpoints that Kubernetes has, and the discovery service remembers the
 * entries of the old id for half an hour. With KubeSpan, the secret is the key that both ends of each
 * tunnel need, and the machines' routes lead into the tunnel also while it is down. So the changed
 * machine would be cut off, and its update would wait for ever.
 *
 * Sources: Talos v1.12.1 and v1.14.1, `controllers/cluster/discovery_service.go` (another id or secret
 * starts the client again), `controllers/k8s/endpoint.go`, `controllers/kubespan/manager.go`
 * (`PresharedKey`, `ForceRouting`), and `kubespan/identity.go`, which keeps the address of the old id
 * until KubeSpan is turned off.
 *
 * @param before the outline of the configuration that the machine runs
 * @param after the outline of its new configuration
 */
export function judgeIdentity(before: ConfigDocument, after: ConfigDocument): AuthorityChanges {
  const [old, now] = [identityIn(before), identityIn(after)];
  const isKnown = ![...old, ...now].some((each) => each === undefined || each === NOT_MADE_YET);
  if (!isKnown || old.join() === now.join()) {
    return NOTHING;
  }
  return [before, after].some(hasKubeSpan)
    ? {
        problems: [
          "the machine would find the others by another id and secret while KubeSpan is on, which would cut it off from each machine that doesn't have them yet. Turn KubeSpan off in an update of its own, replace the identity, then turn KubeSpan on again",
        ],
        notes: [],
      }
    : { problems: [], notes: ["finds the machines that have the new id and secret"] };
}

function identityIn(outline: ConfigDocument) {
  return [textIn(outline, "cluster.id"), textIn(outline, "cluster.secret")];
}

function hasKubeSpan(outline: ConfigDocument): boolean {
  return valueIn(outline, "machine.network.kubespan.enabled") === true;
}
