"""The official schemas as a second opinion: documents held against them by libxml2. The only folder that knows lxml."""
