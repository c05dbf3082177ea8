export { getDisks } from "./getDisks";
export { getMembers } from "./getMembers";
export { getResources, type GetResourcesArgs } from "./getResources";
export { getServices } from "./getServices";
export { getVersion } from "./getVersion";
