export * from "./components";
export * from "./provider";
