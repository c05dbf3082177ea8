import { objectsInventory } from "../../kubernetes/inventory";
import { ClusterObjects, type ClusterWork } from "./clusterObjects";
import { giveUpInTurn, type GivingUpInTurn } from "./giveUpInTurn";
import { inventoryPath, readInventory } from "./manifestInventory";

/**
 * Gives up all objects of a list, and then the inventory that records them. One that is killed can be done again.
 *
 * @param formerly as in `ObjectSync`
 * @throws ManifestRefusedError that names what can't be deleted; the inventory stays then
 * @throws WaitTimeoutError that names what isn't gone at the deadline; the inventory stays then
 */
export async function giveUpList(
  giving: GivingUpInTurn,
  formerly?: readonly string[],
): Promise<void> {
  const cluster = new ClusterObjects(giving);
  const { objects } = await readInventory(cluster, giving.owner, formerly);
  await giveUpInTurn(cluster, objects, objects, giving);
  await cluster.send({ method: "DELETE", path: inventoryPath(giving.owner) });
}

/**
 * Gives up lists that are in no program, and in no state either, because the run that created them was killed. It
 * waits until their objects are gone. Namespaces and definitions stay, with a warning.
 *
 * @param inventories the lists' names
 */
export async function giveUpAbandoned(
  inventories: readonly string[],
  work: ClusterWork,
): Promise<void> {
  for (const inventory of inventories) {
    work.progress.warn(
      `deletes the objects of the list "${inventory}": a run that didn't come to its end has applied them, and the program no longer has them`,
    );
    const owner = objectsInventory(inventory);
    await giveUpList({ ...work, owner, deleteContainers: false, awaitsDeletions: true });
  }
}
