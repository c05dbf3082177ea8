import { Timers } from "../../../../emulator/talos/machine/timers";

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("timers of a machine", () => {
  test("run, unless they are cancelled", async () => {
    const timers = new Timers();
    const ran: string[] = [];
    timers.after(1, () => ran.push("kept"));
    timers.after(1, () => ran.push("cancelled"))();
    await later(20);
    expect(ran).toEqual(["kept"]);
  });

  test("never run once the machine is down, and end all waits", async () => {
    const timers = new Timers();
    const ran: string[] = [];
    timers.after(1, () => ran.push("late"));
    const delayed = timers.delay(60_000);
    timers.end();
    await delayed;
    timers.after(0, () => ran.push("after the end"));
    await timers.delay(60_000);
    await later(20);
    expect(ran).toEqual([]);
  });
});
