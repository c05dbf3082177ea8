import { program } from "./program";

// Pulumi runs a program's entry point, awaits the function it exports, and takes what that
// returns as the outputs of the stack.
export = program;
