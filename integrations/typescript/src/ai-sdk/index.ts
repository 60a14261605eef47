export { AiSdkGate, type AiSdkGateOptions, type GateToolOutput } from './gate.js';
export { registerTools, type RegisterOptions } from './register.js';
export { ToolNotRun } from './tool-not-run.js';
