import type * as pulumi from "@pulumi/pulumi";
import { type MemberSpec, talosResources } from "../api/talosResources";
import type { InputsOf } from "../inputsOf";
import { type MachineQueryArgs, queryMachine, queryWhenKnown } from "./machineQuery";

/**
 * The nodes of the cluster, as a machine knows them by discovery.
 *
 * Contacts the machine whenever the program runs, in a preview too.
 *
 * @throws TalosApiError when the machine refuses, or doesn't prove to be of this cluster
 * @throws WaitTimeoutError when it doesn't answer in time
 */
export function getMembers(args: MachineQueryArgs): Promise<MemberSpec[]> {
  return queryMachine(args, "the members of its cluster", async (client, call) =>
    (await client.listTyped(talosResources.member, call)).map(({ spec }) => spec),
  );
}

/**
 * Like `getMembers`, with inputs that may be outputs: contacts nothing while one of them is unknown. The
 * answer is secret when an input is, as the credentials of `ClientConfiguration` are.
 */
export function getMembersOutput(args: InputsOf<MachineQueryArgs>): pulumi.Output<MemberSpec[]> {
  return queryWhenKnown(args, getMembers);
}
