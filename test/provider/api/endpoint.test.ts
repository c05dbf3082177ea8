import { isIPv6 } from "node:net";
import fc from "fast-check";
import { parseEndpoint, parseNode } from "../../../provider/api/endpoint";

describe("parseEndpoint", () => {
  it.each([
    ["10.0.0.4", "10.0.0.4", 50000, "10.0.0.4:50000", "ipv4:10.0.0.4:50000"],
    ["10.0.0.4:6443", "10.0.0.4", 6443, "10.0.0.4:6443", "ipv4:10.0.0.4:6443"],
    ["lb.example.com", "lb.example.com", 50000, "lb.example.com:50000", "dns:lb.example.com:50000"],
    ["localhost:1", "localhost", 1, "localhost:1", "dns:localhost:1"],
    ["fd00::4", "fd00::4", 50000, "[fd00::4]:50000", "ipv6:[fd00::4]:50000"],
    ["[fd00::4]", "fd00::4", 50000, "[fd00::4]:50000", "ipv6:[fd00::4]:50000"],
    ["[fd00::4]:9", "fd00::4", 9, "[fd00::4]:9", "ipv6:[fd00::4]:9"],
  ])("reads %s", (text, host, port, address, target) => {
    expect(parseEndpoint(text)).toEqual({ host, port, address, target });
  });

  it.each([
    "",
    "https://10.0.0.4",
    "10.0.0.4/",
    "10.0.0.256",
    "10.0.0.4:0",
    "10.0.0.4:65536",
    "10.0.0.4:x",
    "[10.0.0.4]:50000",
    "[lb.example.com]",
    "a b",
    "10.0.0.4,10.0.0.5",
    "-lb",
  ])("rejects %p and says what is allowed", (text) => {
    expect(() => parseEndpoint(text)).toThrow(
      `the Talos endpoint "${text}" cannot be dialled: give a host name or an IP address`,
    );
  });

  it("parses the text that it writes of any IP address and port", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV4(), fc.ipV6()),
        fc.integer({ min: 1, max: 65535 }),
        (ip, port) => {
          const { address } = parseEndpoint(isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`);
          expect(parseEndpoint(address)).toMatchObject({ host: ip, port });
        },
      ),
    );
  });
});

describe("parseNode", () => {
  it.each(["10.0.0.4", "fd00::4", "ip-10-0-0-4.ec2.internal"])("accepts %s", (text) => {
    expect(parseNode(text)).toBe(text);
  });

  it.each(["", "10.0.0.4:50000", "[fd00::4]", "a,b"])("rejects %p", (text) => {
    expect(() => parseNode(text)).toThrow(`"${text}" is not the name of a Talos node`);
  });
});
