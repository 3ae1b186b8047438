"""Pictures in pages: boards, small charts, figures, all as SVG."""
