import type * as pulumi from "@pulumi/pulumi";
import { type MemberSpec, talosResources } from "../api/talosResources";
import type { InputsOf } from "../engine/talosResource";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/**
 * The nodes of the cluster, as a machine's discovery reports them. Discovery remembers a removed
 * machine for half an hour, so ask etcd or Kubernetes which machines the cluster still has. Contacts
 * the machine whenever the program runs, also in a preview.
 *
 * @throws TalosApiError if the machine refuses, or doesn't prove that it is part of this cluster
 * @throws WaitTimeoutError if it doesn't answer in time
 */
export function getMembers(args: MachineQueryArgs): Promise<MemberSpec[]> {
  return queryMachine(args, "the members of its cluster", async (client, call) =>
    (await client.listTyped(talosResources.member, call)).map(({ spec }) => spec),
  );
}

/**
 * Like `getMembers`, with inputs that may be outputs. It contacts no machine while one of them is
 * unknown. The answer is secret if an input is secret, such as the credentials of
 * `ClientConfiguration`.
 */
export function getMembersOutput(args: InputsOf<MachineQueryArgs>): pulumi.Output<MemberSpec[]> {
  return queryWhenKnown(args, getMembers);
}
