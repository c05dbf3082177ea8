import { execFile } from "node:child_process";
import { promisify } from "node:util";
import {
  addAddressesCommand,
  claimAddressSlice,
  type AddressSlice,
} from "../../../emulator/aws/addressSlice";

describe("claimAddressSlice", () => {
  const held: AddressSlice[] = [];

  afterEach(async () => {
    await Promise.all(held.splice(0).map((slice) => slice.release()));
  });

  async function claim(): Promise<AddressSlice> {
    const slice = await claimAddressSlice();
    held.push(slice);
    return slice;
  }

  it("gives every claimant its own slice", async () => {
    const slices = [await claim(), await claim(), await claim()];
    expect(new Set(slices.map((slice) => slice.number)).size).toBe(3);
  });

  it("gives a released slice to the next claimant", async () => {
    const first = await claim();
    await first.release();
    held.length = 0;
    expect((await claim()).number).toBeLessThanOrEqual(first.number);
  });

  it("never gives the same address twice, and all are in the slice", async () => {
    const slice = await claim();
    const given = Array.from({ length: 600 }, () => [
      slice.nextLoadBalancerAddress(),
      slice.nextPrivateInstanceAddress(),
    ]).flat();
    expect(new Set(given).size).toBe(1200);
    expect(given.every((address) => address.startsWith(`127.${slice.number}.`))).toBe(true);
    expect(given.every((address) => address.split(".").every((part) => Number(part) < 255))).toBe(
      true,
    );
  });
});

describe("addAddressesCommand", () => {
  it("names the addresses that the first machines get", async () => {
    const command = addAddressesCommand(64).replace("sudo ifconfig lo0 alias", "echo");
    const { stdout } = await promisify(execFile)("bash", ["-c", command]);
    const addresses = stdout.trim().split("\n");
    expect(addresses).toContain("127.64.0.1");
    expect(addresses).toContain("127.64.1.1");
    expect(addresses).toContain("127.64.65.1");
    expect(addresses).toContain("127.64.200.1");
    expect(addresses.every((address) => /^127\.64\.\d+\.\d+$/.test(address))).toBe(true);
  });
});
