import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import {
  matchesStatus,
  startHealthCheck,
  type HealthCheckSettings,
} from "../../emulator/healthCheck";
import { selfSignedCertificate } from "../../provider/pki/issueCertificate";
import { eventually } from "./support/eventually";

const settings: HealthCheckSettings = {
  protocol: "TCP",
  path: "/readyz",
  matcher: "200",
  intervalMs: 10,
  timeoutMs: 500,
  healthyThreshold: 3,
  unhealthyThreshold: 2,
};

describe("startHealthCheck", () => {
  it("follows a target that starts, stops and starts again", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const seen: string[] = [];
    const check = startHealthCheck({ host: "127.0.0.1", port }, settings, () => {
      seen.push(check.health);
    });
    await eventually(() => expect(seen).toEqual(["healthy"]));
    server.close();
    await eventually(() => expect(seen).toEqual(["healthy", "unhealthy"]));
    server.listen(port, "127.0.0.1");
    await eventually(() => expect(seen).toEqual(["healthy", "unhealthy", "healthy"]));
    check.stop();
    server.close();
  });

  it("requests the path over HTTP and judges the status", async () => {
    let status = 503;
    const server = createHttpServer((request, response) => {
      response.writeHead(request.url === "/readyz" ? status : 404).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const check = startHealthCheck(
      { host: "127.0.0.1", port },
      { ...settings, protocol: "HTTP" },
      () => undefined,
    );
    await eventually(() => expect(check.health).toBe("unhealthy"));
    status = 200;
    await eventually(() => expect(check.health).toBe("healthy"));
    check.stop();
    server.close();
    server.closeAllConnections();
  });
});

describe("a health check over HTTPS", () => {
  // AWS' load balancers find such a target unhealthy, as the API servers of Talos v1.14 are.
  it.each([
    ["TLSv1.2", "healthy"],
    ["TLSv1.3", "unhealthy"],
  ] as const)("of a target that speaks %s or newer finds it %s", async (minVersion, health) => {
    const { crt, key } = await selfSignedCertificate({
      usages: ["serverAuth"],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      keyType: "p256",
    });
    const [cert, secret] = [crt, key].map((text) => Buffer.from(text, "base64"));
    const server = createHttpsServer({ cert, key: secret, minVersion }, (_request, response) =>
      response.end(),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const check = startHealthCheck(
      { host: "127.0.0.1", port },
      { ...settings, protocol: "HTTPS" },
      () => undefined,
    );
    await eventually(() => expect(check.health).toBe(health));
    check.stop();
    server.close();
    server.closeAllConnections();
  });
});

describe("matchesStatus", () => {
  it.each([
    ["200", 200, true],
    ["200", 204, false],
    ["200-399", 302, true],
    ["200-299,401", 401, true],
    ["200-299,401", 403, false],
  ])("%s and %d: %s", (matcher, status, expected) => {
    expect(matchesStatus(matcher, status)).toBe(expected);
  });
});
