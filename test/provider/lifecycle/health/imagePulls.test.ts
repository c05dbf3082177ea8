import { failingPulls, isPulling } from "../../../../provider/lifecycle/health/imagePulls";
import { service } from "../machineSamples";

/** As machines with Talos v1.12.1 write them: in container mode, and on metal. */
const line = (text: string) => `[talos] 2026/01/02 10:00:00 ${text}`;
const onMetal = (text: string) => `2026/01/02 10:00:00.123456 [talos] ${text}`;

const begins = (id: string) => `service[${id}](Preparing): Running pre state`;
const refused = (image: string) =>
  `failed to pull image "${image}": failed to resolve reference "${image}": dial tcp: connection refused`;

const pulling = (id: string) =>
  service(id, {
    state: "Preparing",
    events: [{ state: "Preparing", message: "Running pre state", at: "2026-01-02T10:00:00.000Z" }],
  });

describe("failingPulls", () => {
  it.each([line, onMetal])("finds what fails since the service began, each once", (write) => {
    const lines = [
      begins("kubelet"),
      `retrying error: ${refused("kubelet:v0")}`,
      begins("kubelet"),
      "retrying error: something else",
      `retrying error: ${refused("kubelet:v1")}`,
      `retrying error: ${refused("kubelet:v1")}`,
    ].map(write);
    expect(failingPulls([pulling("kubelet"), service("apid")], lines)).toEqual([
      refused("kubelet:v1"),
    ]);
  });

  it("finds those of all services that wait, from the first one's begin", () => {
    const lines = [
      begins("etcd"),
      `retrying error: ${refused("etcd:v1")}`,
      begins("kubelet"),
      `retrying error: ${refused("kubelet:v1")}`,
    ].map(line);
    expect(failingPulls([pulling("etcd"), pulling("kubelet")], lines)).toEqual([
      refused("etcd:v1"),
      refused("kubelet:v1"),
    ]);
    expect(failingPulls([pulling("kubelet")], lines)).toEqual([refused("kubelet:v1")]);
  });

  it("takes all of a log that no longer has the begin", () => {
    const lines = [`retrying error: ${refused("kubelet:v1")}`].map(line);
    expect(failingPulls([pulling("kubelet")], lines)).toEqual([refused("kubelet:v1")]);
  });

  it("finds none where no service waits for an image", () => {
    const prepared = service("kubelet", {
      state: "Preparing",
      events: [{ state: "Preparing", message: "Creating service runner", at: undefined }],
    });
    const lines = [`retrying error: ${refused("kubelet:v1")}`].map(line);
    expect(failingPulls([prepared, service("etcd")], lines)).toEqual([]);
    expect([prepared, service("etcd"), pulling("etcd")].map(isPulling)).toEqual([
      false,
      false,
      true,
    ]);
  });
});
