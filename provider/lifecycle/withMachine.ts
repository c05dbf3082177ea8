import { TalosClient } from "../api/talosClient";
import type { Machine } from "./machine";

/** Asks a machine over mutual TLS, and leaves nothing open. */
export async function withMachine<Result>(
  machine: Machine,
  work: (client: TalosClient) => Promise<Result>,
): Promise<Result> {
  const client = TalosClient.connect(machine);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
