import { status } from "@grpc/grpc-js";
import type { IDQuery__Output } from "../../../provider/api/gen/cosi/resource/IDQuery";
import type { LabelQuery__Output } from "../../../provider/api/gen/cosi/resource/LabelQuery";
import { messageOfError } from "../../../provider/base";
import { RpcError } from "../rpc/rpcError";
import type { StoredResource } from "./resource";

/**
 * The filter of a list or watch. Label queries are refused with `UNIMPLEMENTED`, because no
 * resource of the simulator has labels. Throws `INVALID_ARGUMENT` for an invalid expression.
 */
export function selects(query: {
  readonly idQuery: IDQuery__Output | null;
  readonly labelQuery: readonly LabelQuery__Output[];
}): (resource: StoredResource) => boolean {
  if (query.labelQuery.some(({ terms }) => terms.length > 0)) {
    throw new RpcError(status.UNIMPLEMENTED, "label queries are not simulated");
  }
  if (!query.idQuery) {
    return () => true;
  }
  const expression = parse(query.idQuery.regexp);
  return ({ id }) => expression.test(id);
}

function parse(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new RpcError(status.INVALID_ARGUMENT, `error parsing regexp: ${messageOfError(error)}`);
  }
}
