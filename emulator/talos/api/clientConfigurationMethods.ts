import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { fromBase64, issueCertificate, renderTalosconfig } from "../../../provider/pki";
import { adminKubeconfig } from "../kubernetes/adminKubeconfig";
import { type Method, serverStream, unary } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { controlPlaneOnly } from "./controlPlaneOnly";
import { fileArchive } from "./fileArchive";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

const ROLE_PREFIX = "os:";

/** GenerateClientConfiguration: a talosconfig without endpoints. Talos v1.12.1 doesn't check the roles. */
export function clientConfigurationMethods({ state }: MethodContext): Method[] {
  return [
    unary(service.GenerateClientConfiguration, async ({ roles, crtTtl }) => {
      const facts = state.config?.facts;
      if (facts?.machineType !== "controlplane" || !facts.osCa) {
        throw controlPlaneOnly(
          state.talosVersion,
          "generate client configuration",
          "client configuration (talosconfig) can't be generated on worker nodes",
        );
      }
      const lifetimeMs = Number(crtTtl?.seconds ?? 0) * 1000;
      if (lifetimeMs <= 0) {
        throw new RpcError(status.INVALID_ARGUMENT, "crt_ttl should be positive");
      }
      const { osCa: ca, clusterName } = facts;
      const now = Date.now();
      const client = await issueCertificate(ca, {
        organizations: roles,
        usages: ["clientAuth"],
        notBefore: new Date(now),
        notAfter: new Date(now + lifetimeMs),
        keyType: "ed25519",
      });
      const [role, ...others] = roles;
      const isOne = role !== undefined && others.length === 0;
      const talosconfig = renderTalosconfig({
        clusterName: isOne ? `${role.replace(ROLE_PREFIX, "")}@${clusterName}` : clusterName,
        endpoints: [],
        nodes: [],
        credentials: { ca: ca.crt, crt: client.crt, key: client.key },
      });
      return {
        messages: [
          {
            ca: Buffer.from(fromBase64(ca.crt)),
            crt: Buffer.from(fromBase64(client.crt)),
            key: Buffer.from(fromBase64(client.key)),
            talosconfig: Buffer.from(talosconfig),
          },
        ],
      };
    }),
  ];
}

/** Kubeconfig: generated from the configuration alone, so it works before the cluster does. */
export function kubeconfigMethods({ state }: MethodContext): Method[] {
  return [
    serverStream(service.Kubeconfig, async function* () {
      const facts = state.config?.facts;
      if (facts?.machineType !== "controlplane") {
        throw new RpcError(
          status.UNIMPLEMENTED,
          "kubeconfig is only available on control plane nodes",
        );
      }
      const text = await adminKubeconfig(facts);
      yield { bytes: fileArchive("kubeconfig", Buffer.from(text), new Date()) };
    }),
  ];
}
