import { type Life, place } from "./objectsCluster";

/** What is done with a list. A preview asks no cluster, so nothing of this changes it. */
export const OPERATIONS = ["create", "update", "refresh", "delete"] as const;

/** A list of objects in it. */
export type List = ReturnType<Life["listOf"]>;

/** Asserts what happens, or says why nothing can. */
export type Cell = ((life: Life, list: List) => Promise<void>) | string;
/** The cells of a situation. */
export type Cells = Readonly<Record<(typeof OPERATIONS)[number], Cell>>;

/** Which ConfigMaps there are. */
export const isThere = async ({ find }: Life, ...names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await find(place(name))) !== undefined));
