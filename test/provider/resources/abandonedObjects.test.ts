import { steppingIt } from "../steppingClock";
import {
  clusterOf,
  configMap,
  INVENTORY,
  type Life,
  MARK,
  namespace,
  place,
} from "./objectsCluster";

/** The API server refuses it. */
const refused = configMap("No-Name", "a");
const SHOP = "/api/v1/namespaces/shop";

describe("objects of a first create that was killed", () => {
  let life: Life;
  beforeAll(async () => {
    life = await clusterOf("v1.12.1");
  });
  afterAll(() => life.cluster.stop());

  /** No state has what it leaves. */
  const killed = (...texts: readonly string[]) =>
    life.resource.lose(() => expect(life.up(...texts, refused)).rejects.toThrow(/No-Name/));

  steppingIt("are found by the next create of their list, whatever that has now", async () => {
    const { up, find, resource, isUnfinished } = life;
    await killed(configMap("one", "a"), configMap("two", "a"));
    const { uid } = (await find(place("one")))?.metadata ?? {};
    expect(await up(configMap("one", "b"))).toBe("created");
    expect(await find(place("one"))).toMatchObject({ metadata: { uid }, data: { value: "b" } });
    expect(await find(place("two"))).toBeUndefined();
    expect(await isUnfinished()).toBe(false);
    await resource.destroy();
  });

  steppingIt("go with an empty list too", async () => {
    const { up, find, resource } = life;
    await killed(configMap("one", "a"));
    expect(await up()).toBe("created");
    expect(await find(place("one"))).toBeUndefined();
    await resource.destroy();
    expect(await find(INVENTORY)).toBeUndefined();
  });

  // The first update of the cluster may be the killed one, so Talos' manifests are not recorded either.
  steppingIt("go with the create of Talos' manifests, once the program has no list", async () => {
    const { upWithout, find, isUnfinished } = life;
    await killed(configMap("one", "a"));
    expect(await upWithout("it")).toBe("created");
    expect(await find(place("one"))).toBeUndefined();
    expect(await find(INVENTORY)).toBeUndefined();
    expect(await isUnfinished()).toBe(false);
    expect(await upWithout()).toBe("same");
  });

  steppingIt("go with an update of them; namespaces and what others have stays", async () => {
    const { upWithout, find, send } = life;
    await killed(namespace, configMap("one", "a", "shop"), configMap("two", "a"));
    // Somebody has it in a list of their own meanwhile.
    const theirs = { metadata: { annotations: { [MARK]: "theirs" } } };
    await send("PATCH", place("two"), theirs);
    expect(await upWithout("it")).toBe("updated");
    expect(await find(place("one", "shop"))).toBeUndefined();
    expect(await find(place("two"))).toBeDefined();
    expect((await find(SHOP))?.metadata.annotations?.[MARK]).toBeUndefined();
    expect(await find(INVENTORY)).toBeUndefined();
    expect(await upWithout()).toBe("same");
  });

  steppingIt("may be deleted twice, where a state has the list after all", async () => {
    const { up, upWithout, find, resource } = life;
    await expect(up(configMap("one", "a"), refused)).rejects.toThrow();
    await upWithout("it");
    await resource.destroy();
    expect(await find(place("one"))).toBeUndefined();
  });
});
