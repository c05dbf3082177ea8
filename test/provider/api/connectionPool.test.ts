import { setTimeout as delay } from "node:timers/promises";
import { clusterIdentity, maintenanceIdentity } from "../../../provider/api/clientIdentity";
import { ConnectionPool } from "../../../provider/api/connectionPool";
import { parseEndpoint } from "../../../provider/api/endpoint";
import { startTestNode, type TestNode } from "./testNode";
import { createOsCa, issueCredentials, issueServerCertificate } from "./testPki";

const idleMs = 60;

let node: TestNode;
let identity: ReturnType<typeof clusterIdentity>;
let sameIdentity: ReturnType<typeof clusterIdentity>;
let otherIdentity: ReturnType<typeof clusterIdentity>;

beforeAll(async () => {
  const ca = await createOsCa();
  const credentials = await issueCredentials(ca);
  [identity, sameIdentity] = [clusterIdentity(credentials), clusterIdentity({ ...credentials })];
  otherIdentity = clusterIdentity(await issueCredentials(ca));
  node = await startTestNode({ certificate: await issueServerCertificate(ca), clientCa: ca.crt });
});
afterAll(() => node.stop());

async function untilOpen(count: number): Promise<void> {
  for (let tries = 0; node.openConnections() !== count && tries < 6_000; tries += 1) {
    await delay(10);
  }
  expect(node.openConnections()).toBe(count);
}

describe("ConnectionPool", () => {
  it("has one connection per endpoint and identity, and closes it when it is idle", async () => {
    const pool = new ConnectionPool(idleMs);
    const endpoint = parseEndpoint(node.endpoint);
    const uses = [identity, sameIdentity, identity].map((each) => pool.enter(endpoint, each));
    expect(new Set(uses.map(({ channel }) => channel)).size).toBe(1);
    for (const { channel } of uses) {
      expect(await channel.connected()).toBe(true);
    }
    await untilOpen(1);
    for (const { leave } of uses) {
      leave();
    }
    await delay(idleMs / 2);
    expect(node.openConnections()).toBe(1);
    const again = pool.enter(endpoint, identity);
    expect(again.channel).toBe(uses[0]?.channel);
    await delay(idleMs * 2);
    expect(node.openConnections()).toBe(1);
    again.leave();
    await untilOpen(0);
    const afterwards = pool.enter(endpoint, identity);
    expect(afterwards.channel).not.toBe(again.channel);
    afterwards.leave();
  });

  it("keeps identities and endpoints apart", () => {
    const pool = new ConnectionPool(idleMs);
    const endpoint = parseEndpoint(node.endpoint);
    const uses = [
      pool.enter(endpoint, identity),
      pool.enter(endpoint, otherIdentity),
      pool.enter(endpoint, maintenanceIdentity()),
      pool.enter(parseEndpoint("127.0.0.1:1"), identity),
    ];
    expect(new Set(uses.map(({ channel }) => channel)).size).toBe(4);
    for (const { leave } of uses) {
      leave();
    }
  });

  it("gives new calls no dropped connection, and lets its running calls finish", async () => {
    const pool = new ConnectionPool(idleMs);
    const endpoint = parseEndpoint(node.endpoint);
    const [first, second] = [pool.enter(endpoint, identity), pool.enter(endpoint, identity)];
    await first.channel.connected();
    first.drop();
    first.leave();
    const third = pool.enter(endpoint, identity);
    expect(third.channel).not.toBe(second.channel);
    await delay(idleMs * 2);
    expect(node.openConnections()).toBe(1);
    second.leave();
    await untilOpen(0);
    third.leave();
  });
});
