export * from './bindings.ts';
export * from './probe.ts';
export * from './program.ts';
export * from './test-case.ts';
export * from './written.ts';
