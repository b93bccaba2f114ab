"""Names of attributes: GenAI conventions old and new, OpenInference, Vercel's AI SDK, OpenLLMetry."""

from __future__ import annotations

TOOL_NAME = ("gen_ai.tool.name", "tool.name", "tool_call.function.name", "ai.toolCall.name", "traceloop.entity.name")
TOOL_ID = ("gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id")
TOOL_INPUT = (
    *("gen_ai.tool.call.arguments", "tool.parameters", "tool_call.function.arguments", "ai.toolCall.args"),
    *("input.value", "traceloop.entity.input", "input", "tool_input"),
)
TOOL_OUTPUT = (
    *(
        "gen_ai.tool.call.result",
        "output.value",
        "ai.toolCall.result",
        "traceloop.entity.output",
        "output",
        "tool_output",
    ),
)
MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id")
INPUT_TOKENS = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "ai.usage.promptTokens",
)
OUTPUT_TOKENS = (
    *("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"),
    "ai.usage.completionTokens",
)
CACHED = (
    *("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "gen_ai.usage.cached_tokens"),
    "llm.token_count.prompt_details.cache_read",
)
SAID = (
    "gen_ai.output.messages",
    "gen_ai.completion",
    "ai.response.text",
    "output.value",
    "gen_ai.completion.0.content",
)
HEARD = ("gen_ai.input.messages", "gen_ai.prompt", "ai.prompt.messages", "input.value")
CHAT = frozenset({"chat", "text_completion", "generate_content", "completion"})
